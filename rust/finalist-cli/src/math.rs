// SPDX-License-Identifier: MIT OR Apache-2.0
//! Functions of C's mathematical library for the charts. Loading that library takes a tenth of the
//! time that hashing a small file takes, so the few functions are linked in.

#![allow(unsafe_code, reason = "the names are those of the C library")]

#[unsafe(no_mangle)]
extern "C" fn log(x: f64) -> f64 {
    libm::log(x)
}

#[unsafe(no_mangle)]
extern "C" fn log10(x: f64) -> f64 {
    libm::log10(x)
}

#[unsafe(no_mangle)]
extern "C" fn pow(x: f64, y: f64) -> f64 {
    libm::pow(x, y)
}
