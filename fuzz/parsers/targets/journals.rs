// SPDX-License-Identifier: MIT OR Apache-2.0
#![cfg_attr(fuzzing, no_main)]

#[cfg(fuzzing)]
libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    finalist_fuzz_parsers::journals(input);
});

#[cfg(not(fuzzing))]
fn main() {}
