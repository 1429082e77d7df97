//! The compiled module `neardup._core`: converts arguments, lets other Python threads run, calls
//! neardup-core, maps errors. Nothing else; the stub is `src/neardup/_core.pyi`.

#![allow(clippy::needless_pass_by_value)] // arguments extracted from Python are owned

mod convert;
mod matching;
mod profile;
mod run;

#[pyo3::pymodule]
mod _core {
    #[pymodule_export]
    use crate::matching::{cluster, distance_many, find_pairs};
    #[pymodule_export]
    use crate::profile::{Profile, fingerprint_weighted, hash_feature};
}
