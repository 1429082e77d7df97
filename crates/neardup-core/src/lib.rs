//! SimHash fingerprints of texts in any language, exact matching within a Hamming distance, and
//! the choice of the documents that stay.
//!
//! A [`Profile`] turns texts into fingerprints; [`find_pairs`] finds all that are within a
//! distance; [`cluster`] says which document each one is removed for. The definition, to the bit, is
//! docs/algorithm.md. The crate knows no files, prints nothing, and uses only the threads it is lent.
//!
//! ```
//! use neardup_core::{Linkage, Profile, Progress, Query, Recipe, cluster, find_pairs};
//!
//! let profile = Profile::new(&Recipe::default())?;
//! let texts = ["今晚八点开会，请准时", "今晚八点开会,请准时!", "tea"];
//! let fingerprints = profile.fingerprint_many(&texts, 1, &Progress::default())?;
//! let query = Query { words: &fingerprints.words, bits: 64, valid: None, max_distance: 3, limit: 1000 };
//! let pairs = find_pairs(&query, 1, &Progress::default())?;
//! let ends = (&pairs.left[..], &pairs.right[..], &pairs.distance[..]);
//! let clusters = cluster(&pairs.representative, ends, &[0, 1, 2], Linkage::Star)?;
//! assert_eq!(clusters.kept, [0, 0, 2]);
//! # Ok::<(), neardup_core::Error>(())
//! ```

mod buffer;
mod characters;
mod cluster;
mod cut;
mod dictionary;
mod error;
mod filter;
mod fingerprint;
mod fixed;
mod hamming;
mod hash;
mod html;
mod join;
mod normalize;
mod profile;
mod progress;
mod shingles;
mod weights;

pub use cluster::{Clusters, Linkage, cluster};
pub use error::{Error, ErrorKind, Result};
pub use hamming::distance_many;
pub use join::{Pairs, Query, find_pairs};
pub use profile::{
    Feature, Fingerprints, MAX_BITS, Profile, Recipe, fingerprint_weighted, hash_feature,
};
pub use progress::Progress;
