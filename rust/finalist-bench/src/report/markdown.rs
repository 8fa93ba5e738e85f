// SPDX-License-Identifier: MIT OR Apache-2.0
//! Writes a report as Markdown. Charts are links to files, if there is a folder for them.

use super::page::{Block, Page, Section, Table};

pub fn page(page: &Page, charts: Option<&str>) -> String {
    let mut out = format!("# {}\n", page.title);
    blocks(&mut out, &page.lead, charts);
    for section in &page.sections {
        out.push_str(&format!("\n## {}\n", section.title));
        blocks(&mut out, &section.blocks, charts);
    }
    out
}

/// Formats one section without its title.
pub fn section(section: &Section, charts: Option<&str>) -> String {
    let mut out = String::new();
    blocks(&mut out, &section.blocks, charts);
    out.trim_start().to_owned()
}

fn blocks(out: &mut String, blocks: &[Block], charts: Option<&str>) {
    for block in blocks {
        match block {
            Block::Heading(text) => out.push_str(&format!("\n### {text}\n")),
            Block::Text(text) => out.push_str(&format!("\n{}\n", escaped(text))),
            Block::Warning(text) => out.push_str(&format!("\n> **{}**\n", escaped(text))),
            Block::Table(content) => table(out, content),
            Block::Chart(chart) => {
                if let Some(folder) = charts {
                    let description = escaped(&chart.description);
                    out.push_str(&format!(
                        "\n![{description}]({folder}/{}.svg)\n",
                        chart.name
                    ));
                }
            }
        }
    }
}

fn table(out: &mut String, table: &Table) {
    let headings: Vec<_> = table.columns.iter().map(|c| escaped(&c.heading)).collect();
    let rules: Vec<_> = table
        .columns
        .iter()
        .map(|column| if column.is_number { "---:" } else { "---" })
        .collect();
    out.push_str(&format!(
        "\n| {} |\n|{}|\n",
        headings.join(" | "),
        rules.join("|")
    ));
    for row in &table.rows {
        let cells: Vec<_> = row
            .iter()
            .map(|cell| match (escaped(&cell.text), cell.is_strong) {
                (text, true) if !text.is_empty() => format!("**{text}**"),
                (text, _) => text,
            })
            .collect();
        out.push_str(&format!("| {} |\n", cells.join(" | ")));
    }
}

/// Escapes Markdown's special characters. Names have no stars or underscores.
fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\")
        .replace('|', "\\|")
        .replace('<', "&lt;")
        .replace('*', "\\*")
        .replace('~', "\\~")
}
