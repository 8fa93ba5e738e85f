// SPDX-License-Identifier: MIT OR Apache-2.0
//! Imports and exports Arrow data through its C interfaces alone.

pub mod abi;
pub mod cell;
pub mod column;
pub mod dictionary;
pub mod digests;
pub mod export;
pub mod import;
pub mod kind;
pub mod nested;
pub mod table;
