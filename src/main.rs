//! Starts the app in the page.

use iris::app::App;

fn main() {
    std::panic::set_hook(Box::new(iris::app::report_panic));
    leptos::mount::mount_to_body(App);
}
