//! Serves the page, the bundle and the traces on the loopback interface. The page is isolated from other origins: only then is
//! its clock finer than a tenth of a millisecond.

use std::{collections::HashMap, path::Path, sync::Arc};

use axum::{
    Router,
    extract::{Path as Named, State},
    http::{HeaderName, HeaderValue, StatusCode, header::CONTENT_TYPE},
    routing::get,
};
use tokio::{net::TcpListener, task::JoinHandle};
use tower_http::{services::ServeDir, set_header::SetResponseHeaderLayer};

use crate::traces::Trace;

/// A server that ends when it is dropped.
#[derive(Debug)]
pub struct Site {
    /// Where it listens.
    pub address: String,
    server: JoinHandle<()>,
}

impl Site {
    /// Serves `folder` and the chunks of these traces.
    ///
    /// # Errors
    /// When no port is free.
    pub async fn serve(folder: &Path, traces: &[Trace]) -> anyhow::Result<Self> {
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let address = format!("http://{}", listener.local_addr()?);
        let mut chunks = HashMap::new();
        for trace in traces {
            chunks.insert(format!("{}.json", trace.name), serde_json::to_string(&trace.chunks())?);
        }
        let mut app = Router::new()
            .route("/traces/{name}", get(chunks_of))
            .with_state(Arc::new(chunks))
            .fallback_service(ServeDir::new(folder));
        for (name, value) in [
            ("cross-origin-opener-policy", "same-origin"),
            ("cross-origin-embedder-policy", "require-corp"),
            ("cache-control", "no-store"),
        ] {
            let (name, value) = (HeaderName::from_static(name), HeaderValue::from_static(value));
            app = app.layer(SetResponseHeaderLayer::overriding(name, value));
        }
        let server = tokio::spawn(async move {
            if let Err(error) = axum::serve(listener, app).await {
                eprintln!("the page's server ended: {error}");
            }
        });
        Ok(Self { address, server })
    }
}

impl Drop for Site {
    fn drop(&mut self) {
        self.server.abort();
    }
}

/// The chunks of each trace as JSON, by the name of the file.
type Chunks = Arc<HashMap<String, String>>;

async fn chunks_of(
    State(chunks): State<Chunks>,
    Named(name): Named<String>,
) -> Result<([(HeaderName, &'static str); 1], String), StatusCode> {
    let json = chunks.get(&name).cloned().ok_or(StatusCode::NOT_FOUND)?;
    Ok(([(CONTENT_TYPE, "application/json")], json))
}
