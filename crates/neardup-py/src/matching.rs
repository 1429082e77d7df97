//! Distances, pairs and clusters.

use numpy::{IntoPyArray, PyArray1, PyReadonlyArray1, PyReadonlyArray2};
use pyo3::prelude::*;

use neardup_core::{Clusters, Linkage, Query};

use crate::convert::{list, matrix};
use crate::run::{UsageError, run, to_python};

/// Distances of the rows of two matrices; one row is compared with all of the other matrix.
#[pyfunction]
pub(crate) fn distance_many<'py>(
    py: Python<'py>,
    a: PyReadonlyArray2<'py, u64>,
    b: PyReadonlyArray2<'py, u64>,
) -> PyResult<Bound<'py, PyArray1<u16>>> {
    let ((a, width), (b, other)) = (matrix(&a)?, matrix(&b)?);
    if width != other {
        return Err(UsageError::new_err(format!(
            "widths differ: {width} and {other} words"
        )));
    }
    let distances = py
        .detach(|| neardup_core::distance_many(a, b, width))
        .map_err(to_python)?;
    Ok(distances.into_pyarray(py))
}

/// Representatives of all rows; left ends, right ends and distances of the pairs among them.
type PairArrays<'py> = (
    Bound<'py, PyArray1<u32>>,
    Bound<'py, PyArray1<u32>>,
    Bound<'py, PyArray1<u32>>,
    Bound<'py, PyArray1<u16>>,
);

#[pyfunction]
#[pyo3(signature = (words, bits, valid, max_distance, *, limit, threads, progress=None))]
#[allow(clippy::too_many_arguments)] // one for each argument of the Python function
pub(crate) fn find_pairs<'py>(
    py: Python<'py>,
    words: PyReadonlyArray2<'py, u64>,
    bits: usize,
    valid: Option<PyReadonlyArray1<'py, bool>>,
    max_distance: u32,
    limit: usize,
    threads: usize,
    progress: Option<Py<PyAny>>,
) -> PyResult<PairArrays<'py>> {
    let (words, width) = matrix(&words)?;
    if width != bits.div_ceil(64) {
        return Err(UsageError::new_err(format!(
            "{bits} bits don't make {width} words"
        )));
    }
    let valid = valid.as_ref().map(list).transpose()?;
    let query = Query {
        words,
        bits,
        valid,
        max_distance,
        limit,
    };
    let pairs = run(py, progress, |progress| {
        neardup_core::find_pairs(&query, threads, progress)
    })?;
    Ok((
        pairs.representative.into_pyarray(py),
        pairs.left.into_pyarray(py),
        pairs.right.into_pyarray(py),
        pairs.distance.into_pyarray(py),
    ))
}

/// Cluster numbers, and the rows kept for all rows.
type ClusterArrays<'py> = (Bound<'py, PyArray1<u32>>, Bound<'py, PyArray1<u32>>);

#[pyfunction]
#[pyo3(signature = (group, left, right, distance, priority, *, single))]
pub(crate) fn cluster<'py>(
    py: Python<'py>,
    group: PyReadonlyArray1<'py, u32>,
    left: PyReadonlyArray1<'py, u32>,
    right: PyReadonlyArray1<'py, u32>,
    distance: PyReadonlyArray1<'py, u16>,
    priority: PyReadonlyArray1<'py, u32>,
    single: bool,
) -> PyResult<ClusterArrays<'py>> {
    let (group, priority) = (list(&group)?, list(&priority)?);
    let pairs = (list(&left)?, list(&right)?, list(&distance)?);
    let linkage = if single {
        Linkage::Single
    } else {
        Linkage::Star
    };
    let clusters = run(py, None, |_| {
        neardup_core::cluster(group, pairs, priority, linkage)
    })?;
    let Clusters { cluster, kept } = clusters;
    Ok((cluster.into_pyarray(py), kept.into_pyarray(py)))
}
