//! The recipe that turns a text into a fingerprint, with its text form and id
//! (docs/algorithm.md, "Profile").

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::hash::{BuildHasherDefault, DefaultHasher};

use rayon::prelude::*;

use crate::buffer::Buffer;
use crate::cut::{Features, Scratch};
use crate::dictionary::Dictionary;
use crate::error::{Error, Result};
use crate::fingerprint::Counter;
use crate::hash::{digest_hex, feature_hash, text_digest};
use crate::normalize::Normalizer;
use crate::progress::{Progress, with_threads};
use crate::weights::Weights;

/// The widest fingerprint: as many bits as the feature hash has.
pub const MAX_BITS: usize = 256;

/// What a profile is made of, in the words of its text form.
#[derive(Clone, Debug)]
pub struct Recipe {
    /// Names of the normalisation steps; `None` for the default ones.
    pub normalize: Option<Vec<String>>,
    /// `words`, `chars:N`, `tokens:N` or `given`.
    pub features: String,
    /// `count`, `binary`, `sqrt`, `log` or `levels`; `given` with features `given`.
    pub weights: String,
    /// Width of the fingerprint, 1 to 256.
    pub bits: usize,
    /// A user's words, beside those of the built-in dictionary.
    pub dictionary: Option<Vec<String>>,
    /// A user's level table, in place of the built-in one.
    pub levels: Option<Vec<(String, u8)>>,
}

impl Default for Recipe {
    /// The profile that is used unless the caller chooses: words, their counts, 64 bits.
    fn default() -> Self {
        Self {
            normalize: None,
            features: "words".to_owned(),
            weights: "count".to_owned(),
            bits: 64,
            dictionary: None,
            levels: None,
        }
    }
}

/// A recipe that was checked and prepared: immutable, for any number of threads.
pub struct Profile {
    text: String,
    id: String,
    bits: usize,
    /// `None` where the caller brings the features.
    recipe: Option<Prepared>,
}

struct Prepared {
    normalizer: Normalizer,
    features: Features,
    dictionary: Dictionary,
    weights: Weights,
}

/// One feature of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Feature {
    /// The feature as it is hashed.
    pub text: String,
    /// How often it occurs.
    pub count: u64,
    /// What it weighs.
    pub weight: u64,
}

/// Fingerprints of many texts; entry `i` of each list belongs to text `i`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Fingerprints {
    /// `ceil(bits / 64)` words a text, the most significant first; zeros where there are no
    /// features.
    pub words: Vec<u64>,
    /// Occurrences of features; a text with none is low-information and has no fingerprint.
    pub features: Vec<u32>,
    /// XXH3-128 of the normalised text; zeros where that is empty.
    pub digests: Vec<[u64; 2]>,
}

impl Profile {
    /// # Errors
    /// If a part of the recipe is unknown or out of range, or the parts don't go together.
    pub fn new(recipe: &Recipe) -> Result<Self> {
        let bits = recipe.bits;
        if !(1..=MAX_BITS).contains(&bits) {
            return Err(Error::profile(format!(
                "bits must be from 1 to {MAX_BITS}, found {bits}"
            )));
        }
        let (middle, prepared) = if recipe.features == "given" {
            check_given(recipe)?;
            ("features=given weights=given".to_owned(), None)
        } else {
            let (middle, prepared) = prepare(recipe)?;
            (middle, Some(prepared))
        };
        let text = format!("neardup/1 {middle} hash=xxh3 bits={bits}");
        Ok(Self {
            id: digest_hex(text.as_bytes()),
            text,
            bits,
            recipe: prepared,
        })
    }

    /// The canonical text form.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// XXH3-64 of the text form, as 16 hexadecimal digits.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Width of the fingerprint.
    #[must_use]
    pub fn bits(&self) -> usize {
        self.bits
    }

    fn prepared(&self) -> Result<&Prepared> {
        self.recipe.as_ref().ok_or_else(|| {
            Error::profile("a profile with features=given fingerprints features, not texts")
        })
    }

    /// The normalised text.
    ///
    /// # Errors
    /// If the profile's features are given by the caller.
    pub fn normalize(&self, text: &str) -> Result<String> {
        Ok(self.prepared()?.normalizer.normalize(text))
    }

    /// Every occurrence of every feature, in order.
    ///
    /// # Errors
    /// If the profile's features are given by the caller.
    pub fn cut(&self, text: &str) -> Result<Vec<String>> {
        let prepared = self.prepared()?;
        let mut features = Vec::new();
        let mut normalized = Buffer::default();
        prepared.normalizer.normalize_into(text, &mut normalized);
        prepared.features.cut(
            &normalized,
            &prepared.dictionary,
            &mut Scratch::default(),
            |feature| {
                features.push(String::from_utf8_lossy(feature).into_owned());
            },
        );
        Ok(features)
    }

    /// The features with their weights, in the order of their first occurrence.
    ///
    /// # Errors
    /// If the profile's features are given by the caller.
    pub fn features(&self, text: &str) -> Result<Vec<Feature>> {
        let weights = &self.prepared()?.weights;
        let mut places: HashMap<String, usize, BuildHasherDefault<DefaultHasher>> =
            HashMap::default();
        let mut features: Vec<Feature> = Vec::new();
        for text in self.cut(text)? {
            let place = *places.entry(text.clone()).or_insert(features.len());
            if place == features.len() {
                features.push(Feature {
                    text,
                    count: 0,
                    weight: 0,
                });
            }
            features[place].count += 1;
        }
        for feature in &mut features {
            feature.weight = weights.weight(&feature.text, feature.count);
        }
        Ok(features)
    }

    /// Fingerprints `texts` on `threads` threads. The answer doesn't depend on their number.
    ///
    /// # Errors
    /// If the profile's features are given by the caller, or the work was cancelled.
    pub fn fingerprint_many<T: AsRef<str> + Sync>(
        &self,
        texts: &[T],
        threads: usize,
        progress: &Progress,
    ) -> Result<Fingerprints> {
        let prepared = self.prepared()?;
        match stream_words(self.bits) {
            1 => many::<1, _>(prepared, self.bits, texts, threads, progress),
            2 => many::<2, _>(prepared, self.bits, texts, threads, progress),
            _ => many::<4, _>(prepared, self.bits, texts, threads, progress),
        }
    }
}

fn check_given(recipe: &Recipe) -> Result<()> {
    if recipe.weights != "given" {
        return Err(Error::profile("features=given goes with weights=given"));
    }
    if recipe.normalize.is_some() || recipe.dictionary.is_some() || recipe.levels.is_some() {
        return Err(Error::profile(
            "features=given takes no normalisation, dictionary or level table: the caller cuts",
        ));
    }
    Ok(())
}

fn prepare(recipe: &Recipe) -> Result<(String, Prepared)> {
    let normalizer = Normalizer::new(recipe.normalize.as_deref())?;
    let features = Features::parse(&recipe.features)?;
    let levels = recipe
        .levels
        .as_deref()
        .map(|table| level_table(table, &normalizer))
        .transpose()?;
    let weights = Weights::parse(&recipe.weights, levels)?;
    if matches!(weights, Weights::Levels(None)) && features != Features::Words {
        return Err(Error::profile(format!(
            "the built-in level table is of words, not of {features}; give a table of your own"
        )));
    }
    let mut form = format!(
        "unicode=17 normalize={} features={features}",
        normalizer.text_form()
    );
    let mut dictionary = Dictionary::default();
    if features == Features::Words {
        form += " dictionary=jieba-0.42.1";
    }
    if let Some(words) = &recipe.dictionary {
        if features != Features::Words {
            return Err(Error::profile(format!(
                "a dictionary goes with words, not with {features}"
            )));
        }
        let words: BTreeSet<String> = words
            .iter()
            .map(|word| normalizer.normalize(word))
            .collect();
        let words: Vec<String> = words.into_iter().collect();
        dictionary = Dictionary::with_words(&words)?;
        let lines: String = words.iter().map(|word| format!("{word}\n")).collect();
        form.push('+');
        form += &digest_hex(lines.as_bytes());
    }
    form += " weights=";
    form += &weights.text_form();
    Ok((
        form,
        Prepared {
            normalizer,
            features,
            dictionary,
            weights,
        },
    ))
}

/// The table with its words normalised as the texts are, or they would never be met.
fn level_table(table: &[(String, u8)], normalizer: &Normalizer) -> Result<BTreeMap<String, u8>> {
    let mut levels = BTreeMap::new();
    for (word, level) in table {
        let word = normalizer.normalize(word);
        if let Some(other) = levels.insert(word.clone(), *level)
            && other != *level
        {
            return Err(Error::profile(format!(
                "the level table has two levels for {word:?}: {other} and {level}"
            )));
        }
    }
    Ok(levels)
}

/// Words of the hash stream from which a fingerprint of `bits` bits is taken.
const fn stream_words(bits: usize) -> usize {
    match bits {
        0..=64 => 1,
        65..=128 => 2,
        _ => 4,
    }
}

/// Texts that a thread takes at a time.
const TASK: usize = 32;

fn many<const W: usize, T: AsRef<str> + Sync>(
    prepared: &Prepared,
    bits: usize,
    texts: &[T],
    threads: usize,
    progress: &Progress,
) -> Result<Fingerprints> {
    let width = bits.div_ceil(64);
    let mut result = Fingerprints {
        words: vec![0; texts.len() * width],
        features: vec![0; texts.len()],
        digests: vec![[0; 2]; texts.len()],
    };
    let tasks = texts
        .par_chunks(TASK)
        .zip(result.words.par_chunks_mut(TASK * width))
        .zip(result.features.par_chunks_mut(TASK))
        .zip(result.digests.par_chunks_mut(TASK));
    let run = |worker: &mut Worker<W>, (((texts, words), counts), digests): Task<'_, T>| {
        let rows = words.chunks_exact_mut(width).zip(counts).zip(digests);
        for (text, ((words, count), digest)) in texts.iter().zip(rows) {
            progress.check()?;
            let stream;
            (stream, *count, *digest) = worker.fingerprint(prepared, text.as_ref());
            leading_bits(&stream, bits, words);
            progress.advance(1);
        }
        Ok(())
    };
    if texts.len() <= TASK {
        // Not worth a thread: the usual case of a single text.
        let Fingerprints {
            words,
            features,
            digests,
        } = &mut result;
        run(
            &mut Worker::default(),
            (((texts, words), features), digests),
        )?;
    } else {
        with_threads(threads, || tasks.try_for_each_init(Worker::default, run))?;
    }
    Ok(result)
}

/// Texts, and where their fingerprints, numbers of features and digests go.
type Task<'a, T> = (
    ((&'a [T], &'a mut [u64]), &'a mut [u32]),
    &'a mut [[u64; 2]],
);

/// The first `bits` bits of `stream`, as an integer of `out.len()` words.
pub(crate) fn leading_bits(stream: &[u64], bits: usize, out: &mut [u64]) {
    let shift = (64 - bits % 64) % 64;
    let mut above = 0;
    for (word, &from) in out.iter_mut().zip(stream) {
        *word = if shift == 0 {
            from
        } else {
            above << (64 - shift) | from >> shift
        };
        above = from;
    }
}

/// The work space of one thread.
struct Worker<const W: usize> {
    counter: Counter<W>,
    normalized: Buffer,
    scratch: Scratch,
    hashes: Vec<[u64; W]>,
}

impl<const W: usize> Default for Worker<W> {
    fn default() -> Self {
        Self {
            counter: Counter::new(),
            normalized: Buffer::default(),
            scratch: Scratch::default(),
            hashes: Vec::new(),
        }
    }
}

impl<const W: usize> Worker<W> {
    /// The fingerprint in the width of the stream, the number of features, the text's digest.
    fn fingerprint(&mut self, prepared: &Prepared, text: &str) -> ([u64; W], u32, [u64; 2]) {
        let Prepared {
            normalizer,
            features,
            dictionary,
            weights,
        } = prepared;
        let Self {
            counter,
            normalized,
            scratch,
            hashes,
        } = self;
        normalizer.normalize_into(text, normalized);
        if normalized.is_empty() {
            return ([0; W], 0, [0; 2]);
        }
        let digest = text_digest(normalized.as_bytes());
        let text = &*normalized;
        let mut count = 0_u32;
        if let (Features::Chars(n), Weights::Count) = (features, weights) {
            // What `cut` would do, in a loop of its own: the fastest way there is.
            scratch.shingles.of(text.as_bytes(), *n, |feature| {
                count = count.saturating_add(1);
                counter.add(feature_hash(feature));
            });
        } else if matches!(weights, Weights::Count) {
            features.cut(text, dictionary, scratch, |feature| {
                count = count.saturating_add(1);
                counter.add(feature_hash(feature));
            });
        } else if weights.linear() {
            features.cut(text, dictionary, scratch, |feature| {
                count = count.saturating_add(1);
                counter.add_weighted(
                    feature_hash(feature),
                    weights.unit(&String::from_utf8_lossy(feature)),
                );
            });
        } else {
            hashes.clear();
            features.cut(text, dictionary, scratch, |feature| {
                hashes.push(feature_hash(feature));
            });
            count = u32::try_from(hashes.len()).unwrap_or(u32::MAX);
            hashes.sort_unstable();
            for equal in hashes.chunk_by(|a, b| a == b) {
                counter.add_weighted(equal[0], weights.of_count(equal.len() as u64));
            }
        }
        (counter.finish(), count, digest)
    }
}

/// Hash of a feature as an integer of `bits` bits, in `ceil(bits / 64)` words, the most
/// significant first.
///
/// # Errors
/// If `bits` is not from 1 to 256.
pub fn hash_feature(feature: &str, bits: usize) -> Result<Vec<u64>> {
    if !(1..=MAX_BITS).contains(&bits) {
        return Err(Error::profile(format!(
            "bits must be from 1 to {MAX_BITS}, found {bits}"
        )));
    }
    let mut words = vec![0; bits.div_ceil(64)];
    match stream_words(bits) {
        1 => leading_bits(&feature_hash::<1>(feature.as_bytes()), bits, &mut words),
        2 => leading_bits(&feature_hash::<2>(feature.as_bytes()), bits, &mut words),
        _ => leading_bits(&feature_hash::<4>(feature.as_bytes()), bits, &mut words),
    }
    Ok(words)
}

/// Merges and reduces hashes of 64, 128 or 256 bits (`words` 64-bit words each) by their weights.
///
/// # Errors
/// If `words` is not 1, 2 or 4, the lengths don't fit, or the weights sum to 2^64 or more.
pub fn fingerprint_weighted(hashes: &[u64], weights: &[u64], words: usize) -> Result<Vec<u64>> {
    if hashes.len() != weights.len() * words {
        return Err(Error::argument("expected as many hashes as weights"));
    }
    if weights
        .iter()
        .try_fold(0_u64, |sum, &weight| sum.checked_add(weight))
        .is_none()
    {
        return Err(Error::argument("the weights must sum to less than 2^64"));
    }
    match words {
        1 => Ok(weighted::<1>(hashes, weights)),
        2 => Ok(weighted::<2>(hashes, weights)),
        4 => Ok(weighted::<4>(hashes, weights)),
        _ => Err(Error::argument(format!(
            "expected 1, 2 or 4 words a hash, found {words}"
        ))),
    }
}

fn weighted<const W: usize>(hashes: &[u64], weights: &[u64]) -> Vec<u64> {
    let mut counter = Counter::<W>::new();
    for (hash, &weight) in hashes.as_chunks().0.iter().zip(weights) {
        counter.add_weighted(*hash, weight);
    }
    counter.finish().to_vec()
}
