//! Arrays in and out.

use numpy::PyUntypedArrayMethods;
use numpy::ndarray::Array2;
use numpy::{IntoPyArray, PyArray2, PyReadonlyArray1, PyReadonlyArray2};
use pyo3::prelude::*;

use crate::run::UsageError;

/// The values of a C-contiguous array.
pub(crate) fn list<'a, T: numpy::Element>(array: &'a PyReadonlyArray1<'_, T>) -> PyResult<&'a [T]> {
    array
        .as_slice()
        .map_err(|_| UsageError::new_err("expected a contiguous array"))
}

/// The rows of a C-contiguous matrix, one after the other, and the length of one.
pub(crate) fn matrix<'a>(array: &'a PyReadonlyArray2<'_, u64>) -> PyResult<(&'a [u64], usize)> {
    let rows = array
        .as_slice()
        .map_err(|_| UsageError::new_err("expected a contiguous matrix"))?;
    Ok((rows, array.shape()[1]))
}

/// `rows` as a matrix with `width` columns.
pub(crate) fn into_matrix(
    py: Python<'_>,
    rows: Vec<u64>,
    width: usize,
) -> PyResult<Bound<'_, PyArray2<u64>>> {
    let shape = (rows.len() / width, width);
    let matrix = Array2::from_shape_vec(shape, rows)
        .map_err(|error| UsageError::new_err(error.to_string()))?;
    Ok(matrix.into_pyarray(py))
}
