//! Puts the parts together: listener, guard, headers, files, WebSocket. Knows no frame and no file.

use std::{
    io,
    net::SocketAddr,
    path::{Path, PathBuf},
    sync::Arc,
};

use axum::{
    Extension, Router,
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
    backend::{
        Backend,
        cli::{Cli, Options},
        demo::Demo,
        gateway::{Gateway, GatewayConfig, GatewayError, plugin::hermes_home},
    },
    cli,
    config::{App, Config},
    data::{Data, DataError},
    devices::{Devices, DevicesError},
    files::{Files, Limits, routes},
    guard::{
        self, Gate, Guard,
        door::{Caller, Door},
        pairing,
    },
    hub::{
        self, Hub,
        socket::{self, Entrance},
    },
    journal::{OpenError, Sqlite, Trouble},
    reports::{self, Sources},
    shutdown::{self, Shutdown, Trigger},
    static_files::StaticFiles,
};

/// Sockets that have not said hello yet, at one time. Those who have are counted by device.
const MAX_STRANGERS: usize = 64;
/// Where in the data folder the chats are.
pub(crate) const JOURNAL: &str = "iris.db";
/// How long an upload may wait for the message that names it, once the adapter starts again.
const UNSENT: Duration = Duration::from_secs(7 * 24 * 60 * 60);
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
    /// This program was built without the app.
    #[error(
        "this iris-adapter was built without the app inside.\nInstall it with `cargo xtask install`, which builds both, or \
         say where a built app is with --app DIR."
    )]
    Bare,
    /// The line to Hermes' gateway.
    #[error(transparent)]
    Gateway(#[from] GatewayError),
    /// The data folder.
    #[error(transparent)]
    Data(#[from] DataError),
    /// Hermes.
    #[error(transparent)]
    Hermes(#[from] crate::backend::cli::StartError),
    /// The list of devices.
    #[error(transparent)]
    Devices(#[from] DevicesError),
    /// The journal.
    #[error(transparent)]
    Journal(#[from] OpenError),
    /// The first chat.
    #[error("cannot write to the journal: {0}.")]
    Write(#[from] Trouble),
}

/// A running server.
#[derive(Debug)]
pub struct Server {
    address: SocketAddr,
    devices: Devices,
    hub: Hub,
    trigger: Trigger,
    task: JoinHandle<io::Result<()>>,
    // The last thing to go: whoever finds the folder free finds nobody at work in it.
    _data: Data,
}

struct Parts {
    files: Option<StaticFiles>,
    hub: Hub,
    door: Door,
    shutdown: Shutdown,
    strangers: Arc<Semaphore>,
}

/// Starts a server; when this returns, it is reachable.
pub async fn start(config: Config) -> Result<Server, StartError> {
    start_with(config, backend).await
}

/// Starts a server with a backend of the caller's own behind it, which is told the data folder.
pub async fn start_with(
    config: Config,
    backend: impl FnOnce(&Config, &Path) -> Result<Arc<dyn Backend>, StartError>,
) -> Result<Server, StartError> {
    let files = match &config.app {
        App::Folder(folder) => {
            Some(StaticFiles::open(folder).map_err(|error| StartError::NoApp(folder.clone(), error))?)
        }
        App::Embedded => Some(StaticFiles::embedded().ok_or(StartError::Bare)?),
        App::None => None,
    };
    let listener = TcpListener::bind(config.address).await.map_err(|error| match error.kind() {
        io::ErrorKind::AddrInUse => StartError::PortTaken(config.address.port()),
        _ => StartError::Listen(config.address, error),
    })?;
    let address = listener.local_addr().map_err(|error| StartError::Listen(config.address, error))?;
    let guard = Arc::new(Guard::new(address.port(), &config.allow_hosts, &config.allow_origins));
    // After the port, so that a second Iris of the same kind hears of the port first, which is easier to mend.
    let data = Data::open(&config.data)?;
    let own = format!("http://{address}/");
    data.announce(&config.public_url.as_ref().map_or(own, ToString::to_string))?;
    let devices = Devices::open(data.folder())?;
    let (trigger, shutdown) = shutdown::channel();
    tokio::spawn(devices.clone().keep_fresh(shutdown.clone()));
    let kept = Files::open(data.folder(), Limits::default())
        .map_err(|error| DataError::Unusable(data.folder().to_owned(), error))?;
    let (journal, restored) = Sqlite::open(&data.folder().join(JOURNAL), hub::now_us())?;
    if let Err(error) = kept.sweep(UNSENT, |id| restored.files.contains(id)) {
        tracing::warn!(%error, "uploads that were never sent cannot be removed");
    }
    let backend = backend(&config, data.folder())?;
    let shelf = Arc::new(kept.clone());
    let hub = Hub::open(backend.clone(), Arc::new(journal), restored, shelf, config.text_gap).await?;
    backend.started();
    let door = Door::new(devices.clone(), config.sockets_per_device);
    let app = Parts {
        files,
        hub: hub.clone(),
        door: door.clone(),
        shutdown: shutdown.clone(),
        strangers: Arc::new(Semaphore::new(MAX_STRANGERS)),
    };
    let home = hermes_home(config.hermes.home.clone());
    let sources = Sources { hub: hub.clone(), hermes_home: Arc::from(home), exporting: Arc::default() };
    let router = router(app, Gate { guard, door }, kept.clone(), sources);
    let task = tokio::spawn(serve(listener, router, shutdown));
    Ok(Server { address, devices, hub, trigger, task, _data: data })
}

fn backend(config: &Config, data: &Path) -> Result<Arc<dyn Backend>, StartError> {
    Ok(match config.backend {
        cli::Backend::Demo => Arc::new(Demo::new(config.speed)),
        cli::Backend::Cli => Arc::new(Cli::new(Options::new(&config.hermes, data)?)?),
        cli::Backend::Gateway => {
            let home = hermes_home(config.hermes.home.clone());
            Arc::new(Gateway::start(GatewayConfig::new(home, config.bridge_port))?)
        }
    })
}

async fn serve(listener: TcpListener, router: Router, shutdown: Shutdown) -> io::Result<()> {
    let mut told = shutdown.clone();
    let mut late = shutdown;
    let service = router.into_make_service_with_connect_info::<SocketAddr>();
    let serving =
        axum::serve(listener, service).with_graceful_shutdown(async move { told.requested().await });
    tokio::select! {
        result = serving => result,
        () = async { late.requested().await; tokio::time::sleep(GRACE).await } => Ok(()),
    }
}

fn router(app: Parts, gate: Gate, kept: Files, sources: Sources) -> Router {
    Router::new()
        .route("/ws", get(upgrade))
        .route("/health", get(health))
        .fallback(file)
        .with_state(Arc::new(app))
        .merge(routes::router(kept))
        .merge(reports::router(sources))
        .route("/pair", pairing::route().with_state(gate.door.clone()))
        .layer(from_fn_with_state(gate, guard::layer))
        .layer(from_fn(guard::headers::layer))
}

async fn upgrade(
    State(app): State<Arc<Parts>>,
    Extension(caller): Extension<Caller>,
    upgrade: WebSocketUpgrade,
) -> Response {
    let Ok(place) = app.strangers.clone().try_acquire_owned() else {
        return (StatusCode::SERVICE_UNAVAILABLE, "Too many devices are at the door of Iris.\n")
            .into_response();
    };
    let build = match &app.files {
        Some(files) => files.build_id().await,
        None => String::new(),
    };
    let entrance = Entrance { door: app.door.clone(), caller, build, place };
    let (hub, shutdown) = (app.hub.clone(), app.shutdown.clone());
    socket::limits(upgrade).on_upgrade(move |socket| socket::run(socket, hub, entrance, shutdown))
}

async fn health() -> Response {
    let body =
        concat!(r#"{"status":"ok","name":"iris-adapter","version":""#, env!("CARGO_PKG_VERSION"), "\"}\n");
    ([(header::CONTENT_TYPE, "application/json"), (header::CACHE_CONTROL, "no-store")], body).into_response()
}

async fn file(State(app): State<Arc<Parts>>, request: Request) -> Response {
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

    /// The address of the app.
    pub fn url(&self) -> String {
        format!("http://{}/", self.address)
    }

    /// The devices that may come in.
    pub fn devices(&self) -> &Devices {
        &self.devices
    }

    /// Stops: sockets are closed properly, requests in flight are finished.
    pub async fn stop(self) -> io::Result<()> {
        self.trigger.stop();
        let served = timeout(GRACE * 2, self.task).await;
        self.trigger.drained().await;
        self.hub.close().await;
        match served {
            Ok(Ok(result)) => result,
            Ok(Err(panicked)) => Err(io::Error::other(panicked)),
            Err(_) => Ok(()),
        }
    }
}
