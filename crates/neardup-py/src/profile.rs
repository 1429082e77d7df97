//! Profiles and fingerprints.

use std::str;

use numpy::{IntoPyArray, PyArray1, PyArray2, PyReadonlyArray1, PyReadonlyArray2};
use pyo3::prelude::*;
use pyo3::types::PyString;

use neardup_core::Fingerprints;

use crate::convert::{into_matrix, list, matrix};
use crate::run::{UsageError, run, to_python};

/// A checked recipe; immutable, for any number of threads.
#[pyclass(frozen, module = "neardup._core")]
pub(crate) struct Profile(neardup_core::Profile);

/// Fingerprints (rows, words), numbers of features (rows), digests (rows, 2).
type Arrays<'py> = (
    Bound<'py, PyArray2<u64>>,
    Bound<'py, PyArray1<u32>>,
    Bound<'py, PyArray2<u64>>,
);

#[pymethods]
impl Profile {
    #[new]
    #[pyo3(signature = (*, normalize, features, weights, bits, dictionary, levels))]
    fn new(
        normalize: Option<Vec<String>>,
        features: String,
        weights: String,
        bits: usize,
        dictionary: Option<Vec<String>>,
        levels: Option<Vec<(String, u8)>>,
    ) -> PyResult<Self> {
        let recipe = neardup_core::Recipe {
            normalize,
            features,
            weights,
            bits,
            dictionary,
            levels,
        };
        neardup_core::Profile::new(&recipe)
            .map(Self)
            .map_err(to_python)
    }

    #[getter]
    fn text(&self) -> &str {
        self.0.text()
    }

    #[getter]
    fn id(&self) -> &str {
        self.0.id()
    }

    fn normalize(&self, text: &str) -> PyResult<String> {
        self.0.normalize(text).map_err(to_python)
    }

    fn cut(&self, text: &str) -> PyResult<Vec<String>> {
        self.0.cut(text).map_err(to_python)
    }

    fn features(&self, text: &str) -> PyResult<Vec<(String, u64, u64)>> {
        let features = self.0.features(text).map_err(to_python)?;
        Ok(features
            .into_iter()
            .map(|f| (f.text, f.count, f.weight))
            .collect())
    }

    /// Fingerprints a list of strings.
    fn fingerprint_texts<'py>(
        &self,
        py: Python<'py>,
        texts: Vec<Bound<'py, PyString>>,
        threads: usize,
    ) -> PyResult<Arrays<'py>> {
        let texts: Vec<&str> = texts
            .iter()
            .enumerate()
            .map(|(row, text)| {
                text.to_str().map_err(|_| {
                    UsageError::new_err(format!(
                        "text {row} has a lone surrogate, which is not a character; \
                         text.encode('utf-8', 'replace').decode() replaces it"
                    ))
                })
            })
            .collect::<PyResult<_>>()?;
        self.arrays(py, &texts, threads)
    }

    /// Fingerprints the strings of an Arrow array: UTF-8 bytes, and where each string begins.
    fn fingerprint_utf8<'py>(
        &self,
        py: Python<'py>,
        data: PyReadonlyArray1<'py, u8>,
        offsets: PyReadonlyArray1<'py, i64>,
        threads: usize,
    ) -> PyResult<Arrays<'py>> {
        let data = list(&data)?;
        let texts: Vec<&str> = list(&offsets)?
            .windows(2)
            .enumerate()
            .map(|(row, ends)| {
                let (start, end) = (ends[0], ends[1]);
                let bytes = usize::try_from(start)
                    .ok()
                    .zip(usize::try_from(end).ok())
                    .and_then(|(start, end)| data.get(start..end))
                    .ok_or_else(|| {
                        UsageError::new_err(format!("offsets of row {row} don't fit"))
                    })?;
                str::from_utf8(bytes).map_err(|error| {
                    UsageError::new_err(format!("row {row} is not UTF-8: {error}"))
                })
            })
            .collect::<PyResult<_>>()?;
        self.arrays(py, &texts, threads)
    }
}

impl Profile {
    fn arrays<'py>(
        &self,
        py: Python<'py>,
        texts: &[&str],
        threads: usize,
    ) -> PyResult<Arrays<'py>> {
        let Fingerprints {
            words,
            features,
            digests,
        } = if texts.len() == 1 {
            // One text is not worth a thread that waits for it.
            py.detach(|| {
                self.0
                    .fingerprint_many(texts, 1, &neardup_core::Progress::default())
            })
            .map_err(to_python)?
        } else {
            run(py, None, |progress| {
                self.0.fingerprint_many(texts, threads, progress)
            })?
        };
        Ok((
            into_matrix(py, words, self.0.bits().div_ceil(64))?,
            features.into_pyarray(py),
            into_matrix(py, digests.into_flattened(), 2)?,
        ))
    }
}

/// Hash of a feature, in `ceil(bits / 64)` words, the most significant first.
#[pyfunction]
pub(crate) fn hash_feature(feature: &str, bits: usize) -> PyResult<Vec<u64>> {
    neardup_core::hash_feature(feature, bits).map_err(to_python)
}

/// Merges and reduces hashes (rows, words) by their weights (rows).
#[pyfunction]
pub(crate) fn fingerprint_weighted(
    hashes: PyReadonlyArray2<'_, u64>,
    weights: PyReadonlyArray1<'_, u64>,
) -> PyResult<Vec<u64>> {
    let (rows, width) = matrix(&hashes)?;
    neardup_core::fingerprint_weighted(rows, list(&weights)?, width).map_err(to_python)
}
