//! Fixed-point logarithms: the same integer on every machine, where `f64::ln` may differ in its
//! last bit (docs/algorithm.md, "Cut Han text by the dictionary").
//!
//! This file is also part of `build.rs`, which computes the costs of the dictionary's words.

/// `log2(n) * 2^fraction_bits` as an integer, by repeated squaring of the mantissa.
///
/// # Panics
/// If `n` is 0.
pub(crate) fn log2_fixed(n: u64, fraction_bits: u32) -> u64 {
    let exponent = n.ilog2();
    let mut mantissa = n << (63 - exponent);
    let mut result = u64::from(exponent);
    for _ in 0..fraction_bits {
        let square = (u128::from(mantissa) * u128::from(mantissa)) >> 63;
        let bit = u64::from(square >> 64 != 0);
        mantissa = (square >> bit) as u64;
        result = (result << 1) | bit;
    }
    result
}
