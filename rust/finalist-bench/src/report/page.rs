// SPDX-License-Identifier: MIT OR Apache-2.0
//! The parts of a report, before it becomes HTML or Markdown.

use super::charts::Svg;

/// A report: an introduction, then sections.
pub struct Page {
    pub title: String,
    pub lead: Vec<Block>,
    pub sections: Vec<Section>,
}

pub struct Section {
    /// The name for `--only` and links.
    pub name: &'static str,
    pub title: String,
    pub blocks: Vec<Block>,
}

pub enum Block {
    Heading(String),
    Text(String),
    /// A warning to the reader.
    Warning(String),
    Table(Table),
    Chart(Chart),
}

impl Block {
    pub fn text(text: impl Into<String>) -> Block {
        Block::Text(text.into())
    }
}

pub struct Table {
    pub columns: Vec<Column>,
    pub rows: Vec<Vec<Cell>>,
}

pub struct Column {
    pub heading: String,
    pub is_number: bool,
}

impl Column {
    pub fn text(heading: impl Into<String>) -> Column {
        Column {
            heading: heading.into(),
            is_number: false,
        }
    }

    pub fn number(heading: impl Into<String>) -> Column {
        Column {
            heading: heading.into(),
            is_number: true,
        }
    }
}

#[derive(Clone, Default)]
pub struct Cell {
    pub text: String,
    pub is_strong: bool,
}

impl Cell {
    pub fn new(text: impl Into<String>) -> Cell {
        Cell {
            text: text.into(),
            is_strong: false,
        }
    }

    pub fn strong(mut self, is_strong: bool) -> Cell {
        self.is_strong = is_strong;
        self
    }
}

/// A picture and its description.
pub struct Chart {
    /// The name of its file.
    pub name: String,
    pub description: String,
    pub svg: Svg,
}
