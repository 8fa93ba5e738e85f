// SPDX-License-Identifier: MIT OR Apache-2.0
//! Writes a report as one self-contained HTML file, without network or script.

use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::charts;
use super::page::{Block, Page, Section, Table};

/// Text up to this length is a name, which must not be broken.
const NAME_CHARS: usize = 24;
const STYLE: &str = include_str!("report.css");

pub fn page(page: &Page) -> String {
    let style = format!("{STYLE}{}", charts::dark_style(".chart "));
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta http-equiv="Content-Security-Policy"
                    content="default-src 'none'; style-src 'unsafe-inline'";
                title { (page.title) }
                style { (PreEscaped(style)) }
            }
            body {
                header {
                    h1 { (page.title) }
                    (blocks(&page.lead))
                    nav aria-label="Sections" {
                        ul {
                            @for section in &page.sections {
                                li { a href={ "#" (section.name) } { (section.title) } }
                            }
                        }
                    }
                }
                main {
                    @for each in &page.sections { (section(each)) }
                }
            }
        }
    }
    .into_string()
}

fn section(section: &Section) -> Markup {
    html! {
        section id=(section.name) {
            h2 { (section.title) }
            (blocks(&section.blocks))
        }
    }
}

fn blocks(blocks: &[Block]) -> Markup {
    html! {
        @for block in blocks {
            @match block {
                Block::Heading(text) => h3 { (text) },
                Block::Text(text) => p { (text) },
                Block::Warning(text) => p.warning role="note" { (text) },
                Block::Table(content) => (table(content)),
                Block::Chart(chart) => figure.chart role="img" aria-label=(chart.description) {
                    div.wide { (PreEscaped(&chart.svg.wide)) }
                    div.narrow { (PreEscaped(&chart.svg.narrow)) }
                },
            }
        }
    }
}

fn table(table: &Table) -> Markup {
    let class = |column: usize, text: &str| match text.chars().count() {
        _ if table.columns[column].is_number => Some("number"),
        ..=NAME_CHARS => Some("name"),
        _ => None,
    };
    html! {
        div.scroll tabindex="0" role="group" aria-label="Table" {
            table {
                thead {
                    tr {
                        @for column in &table.columns {
                            th scope="col" class=[column.is_number.then_some("number")] {
                                (column.heading)
                            }
                        }
                    }
                }
                tbody {
                    @for row in &table.rows {
                        tr {
                            @for (index, cell) in row.iter().enumerate() {
                                td class=[class(index, &cell.text)] {
                                    @if cell.is_strong { strong { (cell.text) } }
                                    @else { (cell.text) }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}
