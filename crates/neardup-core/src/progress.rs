//! What a caller can see of work that goes on, and how it stops it; and the threads it lends.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use crate::error::{Error, Result};

/// Steps done of steps to do, and the wish to stop. Shared between the worker and its caller.
#[derive(Debug, Default)]
pub struct Progress {
    done: AtomicU64,
    total: AtomicU64,
    cancelled: AtomicBool,
}

impl Progress {
    /// Asks the work to stop soon.
    pub fn cancel(&self) {
        self.cancelled.store(true, Ordering::Relaxed);
    }

    /// Steps done and steps to do, so far as they are known.
    #[must_use]
    pub fn steps(&self) -> (u64, u64) {
        (
            self.done.load(Ordering::Relaxed),
            self.total.load(Ordering::Relaxed),
        )
    }

    pub(crate) fn expect(&self, steps: u64) {
        self.total.fetch_add(steps, Ordering::Relaxed);
    }

    pub(crate) fn advance(&self, steps: u64) {
        self.done.fetch_add(steps, Ordering::Relaxed);
    }

    pub(crate) fn check(&self) -> Result<()> {
        if self.cancelled.load(Ordering::Relaxed) {
            Err(Error::cancelled())
        } else {
            Ok(())
        }
    }
}

/// Runs `work`, whose parallel parts then use so many threads (at least one: this one).
pub(crate) fn with_threads<T: Send>(
    threads: usize,
    work: impl FnOnce() -> Result<T> + Send,
) -> Result<T> {
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads.max(1))
        .build();
    pool.map_err(|error| Error::argument(format!("can't start {threads} threads: {error}")))?
        .install(work)
}
