//! Long work beside Python: it runs on a thread of its own while this one lets other Python
//! threads run, answers Ctrl-C and reports progress; and the one map from core errors to classes.

use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use neardup_core::{Error, ErrorKind, Progress, Result};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

pyo3::import_exception!(neardup.errors, ProfileError);
pyo3::import_exception!(neardup.errors, UsageError);

/// How long Ctrl-C may go unheard.
const POLL: Duration = Duration::from_millis(50);

/// Runs `work`; `report`, if any, is called with the steps done and to do.
pub(crate) fn run<T: Send>(
    py: Python<'_>,
    report: Option<Py<PyAny>>,
    work: impl FnOnce(&Progress) -> Result<T> + Send,
) -> PyResult<T> {
    let progress = Progress::default();
    py.detach(|| {
        thread::scope(|scope| {
            let (finished, wait) = channel::<()>();
            let progress = &progress;
            let worker = scope.spawn(move || {
                let _finished = finished; // dropped at the end, even by a panic
                work(progress)
            });
            let mut stopped = None;
            while stopped.is_none() && wait.recv_timeout(POLL) == Err(RecvTimeoutError::Timeout) {
                stopped = Python::attach(|py| poll(py, report.as_ref(), progress)).err();
            }
            if stopped.is_some() {
                progress.cancel();
            }
            let result = worker.join();
            match (stopped, result) {
                (Some(error), _) => Err(error),
                (None, Ok(result)) => result.map_err(to_python),
                (None, Err(_)) => Err(PyRuntimeError::new_err(
                    "an internal error of neardup; please report it with the input that shows it",
                )),
            }
        })
    })
}

fn poll(py: Python<'_>, report: Option<&Py<PyAny>>, progress: &Progress) -> PyResult<()> {
    py.check_signals()?;
    if let Some(report) = report {
        report.call1(py, progress.steps())?;
    }
    Ok(())
}

pub(crate) fn to_python(error: Error) -> PyErr {
    match error.kind() {
        ErrorKind::Profile => ProfileError::new_err(error.to_string()),
        _ => UsageError::new_err(error.to_string()),
    }
}
