//! Searching through every chat: one question when the keys rest, and the newest answer wins.

use iris_core::ids::ClientId;
use iris_core::protocol::AppFrame;
use iris_core::protocol::frame::SearchHit;
use leptos::prelude::{Set, Update, WithUntracked};

use super::driver::{Alarm, Driver};
use crate::browser::random_id;
use crate::store::Search;

/// How long the keys must rest.
const REST_MS: f64 = 200.0;

impl Driver {
    /// The reader looks for these words; for nothing, to close the search.
    pub(super) fn search(&mut self, query: &str) {
        let query = query.trim();
        self.searching = None;
        if query.is_empty() {
            return self.store.search.set(None);
        }
        self.store.search.set(Some(Search { query: query.to_owned(), hits: None }));
        self.alarm(Alarm::Search, REST_MS);
    }

    /// Asks for what is looked for and not found yet.
    pub(super) fn ask_search(&mut self) {
        let open = |search: &Option<Search>| {
            search.as_ref().filter(|search| search.hits.is_none()).map(|search| search.query.clone())
        };
        if let Some(query) = self.store.search.with_untracked(open) {
            let client_id = ClientId(random_id());
            self.send(&AppFrame::Search { client_id: client_id.clone(), query });
            self.searching = Some(client_id);
        }
    }

    /// What was found. An answer to an earlier question is of no use.
    pub(super) fn found(&mut self, client_id: &ClientId, hits: Vec<SearchHit>) {
        if self.searching.as_ref() == Some(client_id) {
            self.searching = None;
            self.store.search.update(|search| {
                if let Some(search) = search {
                    search.hits = Some(hits);
                }
            });
        }
    }
}
