//! Puts the parts together: listener, guard, headers, files, WebSocket. Knows no frame and no file.

use std::{io, net::SocketAddr, path::PathBuf, sync::Arc};

use axum::{
    Router,
    extract::{Request, State, WebSocketUpgrade},
    http::{StatusCode, header},
    middleware::{from_fn, from_fn_with_state},
    response::{IntoResponse, Response},
    routing::get,
};
use tokio::{
    net::TcpListener,
    sync::Semaphore,
    task::JoinHandle,
    time::{Duration, timeout},
};

use crate::{
    backend::demo::Demo,
    config::Config,
    guard::{self, Guard},
    hub::{Hub, socket},
    shutdown::{self, Shutdown, Trigger},
    static_files::StaticFiles,
};

/// Sockets at one time; a person has a few tabs and a phone.
const MAX_SOCKETS: usize = 64;
/// How long requests in flight may take when the server stops.
const GRACE: Duration = Duration::from_secs(3);

/// Why the server could not start, and what to do about it.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The port is taken.
    #[error(
        "port {0} is taken, perhaps by another Iris.\nStop that one, or choose another port: --port 0 takes a free one."
    )]
    PortTaken(u16),
    /// Another trouble with listening.
    #[error("cannot listen on {0}: {1}")]
    Listen(SocketAddr, io::Error),
    /// No built app.
    #[error(
        "there is no built app in {folder} ({1}).\nBuild it with `cargo xtask run` or `trunk build --release`, or say where \
         it is with --app DIR.", folder = .0.display()
    )]
    NoApp(PathBuf, io::Error),
}

/// A running server.
#[derive(Debug)]
pub struct Server {
    address: SocketAddr,
    trigger: Trigger,
    task: JoinHandle<io::Result<()>>,
}

struct App {
    files: Option<StaticFiles>,
    hub: Hub,
    shutdown: Shutdown,
    sockets: Arc<Semaphore>,
}

/// Starts a server; when this returns, it is reachable.
pub async fn start(config: Config) -> Result<Server, StartError> {
    let files = match &config.app {
        Some(folder) => {
            Some(StaticFiles::open(folder).map_err(|error| StartError::NoApp(folder.clone(), error))?)
        }
        None => None,
    };
    let listener = TcpListener::bind(config.address).await.map_err(|error| match error.kind() {
        io::ErrorKind::AddrInUse => StartError::PortTaken(config.address.port()),
        _ => StartError::Listen(config.address, error),
    })?;
    let address = listener.local_addr().map_err(|error| StartError::Listen(config.address, error))?;
    let guard = Guard::new(address.port(), &config.allow_hosts, &config.allow_origins);
    let (trigger, shutdown) = shutdown::channel();
    let hub = Hub::new(Arc::new(Demo::new(config.speed)));
    let app = App { files, hub, shutdown: shutdown.clone(), sockets: Arc::new(Semaphore::new(MAX_SOCKETS)) };
    let task = tokio::spawn(serve(listener, router(app, guard), shutdown));
    Ok(Server { address, trigger, task })
}

async fn serve(listener: TcpListener, router: Router, shutdown: Shutdown) -> io::Result<()> {
    let mut told = shutdown.clone();
    let mut late = shutdown;
    let serving = axum::serve(listener, router).with_graceful_shutdown(async move { told.requested().await });
    tokio::select! {
        result = serving => result,
        () = async { late.requested().await; tokio::time::sleep(GRACE).await } => Ok(()),
    }
}

fn router(app: App, guard: Guard) -> Router {
    Router::new()
        .route("/ws", get(upgrade))
        .route("/health", get(health))
        .fallback(file)
        .with_state(Arc::new(app))
        .layer(from_fn_with_state(Arc::new(guard), guard::layer))
        .layer(from_fn(guard::headers::layer))
}

async fn upgrade(State(app): State<Arc<App>>, upgrade: WebSocketUpgrade) -> Response {
    let Ok(place) = app.sockets.clone().try_acquire_owned() else {
        return (StatusCode::SERVICE_UNAVAILABLE, "Too many devices are connected to Iris.\n")
            .into_response();
    };
    let build = match &app.files {
        Some(files) => files.build_id().await,
        None => String::new(),
    };
    let (hub, shutdown) = (app.hub.clone(), app.shutdown.clone());
    socket::limits(upgrade).on_upgrade(move |socket| async move {
        socket::run(socket, hub, build, shutdown).await;
        drop(place);
    })
}

async fn health() -> Response {
    let body =
        concat!(r#"{"status":"ok","name":"iris-adapter","version":""#, env!("CARGO_PKG_VERSION"), "\"}\n");
    ([(header::CONTENT_TYPE, "application/json"), (header::CACHE_CONTROL, "no-store")], body).into_response()
}

async fn file(State(app): State<Arc<App>>, request: Request) -> Response {
    match &app.files {
        Some(files) => files.serve(request).await,
        None => (StatusCode::NOT_FOUND, "This Iris serves no app (--no-app).\n").into_response(),
    }
}

impl Server {
    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The address to open in a browser.
    pub fn url(&self) -> String {
        format!("http://{}/", self.address)
    }

    /// Stops: sockets are closed properly, requests in flight are finished.
    pub async fn stop(self) -> io::Result<()> {
        self.trigger.stop();
        let served = timeout(GRACE * 2, self.task).await;
        self.trigger.drained().await;
        match served {
            Ok(Ok(result)) => result,
            Ok(Err(panicked)) => Err(io::Error::other(panicked)),
            Err(_) => Ok(()),
        }
    }
}
