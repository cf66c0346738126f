//! The page in a user's terms: what can be done, and what can be read.
