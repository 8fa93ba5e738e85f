// SPDX-License-Identifier: MIT OR Apache-2.0
//! Charts as SVG, drawn by plotters: it is maintained, writes SVG without fonts or a browser, and
//! has logarithmic axes.
//!
//! Colours are attributes in the SVG, so that a style sheet can replace them by those of a dark page.

mod bars;
mod lines;

use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

pub use self::bars::{Bar, Kind, bars};
pub use self::lines::{Lines, Point, Series, panels, relative};

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;
type Outcome = Result<(), Box<dyn std::error::Error>>;
pub type Drawn = Result<Svg, Box<dyn std::error::Error>>;

/// A chart for pages, and one for phones, on which the other's text would be too small to read.
pub struct Svg {
    pub wide: String,
    pub narrow: String,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Width {
    Wide,
    Narrow,
}

impl Width {
    fn pixels(self) -> u32 {
        match self {
            Width::Wide => 800,
            Width::Narrow => 350,
        }
    }
}

const FONT: &str = "system-ui, DejaVu Sans, sans-serif";

/// A colour on white and its counterpart on black.
struct Ink(RGBColor, &'static str);

const TEXT: Ink = Ink(RGBColor(0x1b, 0x24, 0x30), "#E6EAF0");
const FAINT: Ink = Ink(RGBColor(0x56, 0x60, 0x6d), "#A2ADBA");
const GRID: Ink = Ink(RGBColor(0xd5, 0xda, 0xe1), "#333B46");
const USUAL: Ink = Ink(RGBColor(0x9d, 0xb2, 0xcc), "#56708F");
const CHOSEN: Ink = Ink(RGBColor(0x1f, 0x6f, 0xd6), "#5AA2F5");
const OPT_IN: Ink = Ink(RGBColor(0xd9, 0x8e, 0x2b), "#D9A04E");
const BOUND: Ink = Ink(RGBColor(0xc2, 0x35, 0x2b), "#F0766C");
/// Colours of series, distinguishable also with red-green blindness.
const SERIES: [Ink; 8] = [
    Ink(RGBColor(0x00, 0x72, 0xb2), "#4DA9E0"),
    Ink(RGBColor(0xb8, 0x4a, 0x00), "#F08A4B"),
    Ink(RGBColor(0x00, 0x7a, 0x5a), "#3FBF9A"),
    Ink(RGBColor(0x9b, 0x3f, 0x7d), "#DB8CC0"),
    Ink(RGBColor(0x7a, 0x6a, 0x00), "#D6C65A"),
    Ink(RGBColor(0x3d, 0x4f, 0x63), "#B7C3D0"),
    Ink(RGBColor(0x50, 0x3b, 0xb0), "#A99BF2"),
    Ink(RGBColor(0x8a, 0x1c, 0x2f), "#E87D8F"),
];

/// Returns rules that replace the colours on a dark screen, with `scope` before each selector.
pub fn dark_style(scope: &str) -> String {
    let all = [&TEXT, &FAINT, &GRID, &USUAL, &CHOSEN, &OPT_IN, &BOUND];
    let rules: String = all
        .into_iter()
        .chain(&SERIES)
        .map(|Ink(RGBColor(r, g, b), dark)| {
            let light = format!("#{r:02X}{g:02X}{b:02X}");
            format!(
                "{scope}[fill=\"{light}\"]{{fill:{dark}}}{scope}[stroke=\"{light}\"]{{stroke:{dark}}}"
            )
        })
        .collect();
    format!("@media screen and (prefers-color-scheme:dark){{{rules}}}")
}

/// Makes an SVG a separate file, dark on a dark screen.
pub fn standalone(svg: &str) -> String {
    let style = format!("<style>{}</style>", dark_style(""));
    match svg.split_once('>') {
        Some((tag, rest)) => format!("{tag}>{style}{rest}"),
        None => svg.to_owned(),
    }
}

/// Formats a whole number, from 1024 on in units of 1024.
fn amount(value: f64) -> String {
    let value = value.round() as u64;
    match value {
        0x10_0000.. => format!("{} Mi", value >> 20),
        1024.. => format!("{} Ki", value >> 10),
        _ => value.to_string(),
    }
}

/// Formats a figure with three significant digits.
pub fn figure(value: f64) -> String {
    match value {
        100.0.. => format!("{value:.0}"),
        10.0.. => format!("{value:.1}"),
        0.095.. => format!("{value:.2}"),
        _ => format!("{value:.3}"),
    }
}

fn font(size: u32) -> FontDesc<'static> {
    (FONT, f64::from(size)).into_font()
}

fn plain(ink: RGBColor) -> TextStyle<'static> {
    let mut style = TextStyle::from(font(16));
    style.color = ink.to_backend_color();
    style
}

fn bold() -> TextStyle<'static> {
    let mut style = TextStyle::from(font(17).style(FontStyle::Bold));
    style.color = TEXT.0.to_backend_color();
    style
}

/// Draws text with its left or right end at a position and its middle at a height.
fn text_at(
    area: &Area<'_>,
    text: &str,
    place: (i32, i32),
    style: TextStyle<'_>,
    end: HPos,
) -> Outcome {
    let style = style.pos(Pos::new(end, VPos::Center));
    area.draw(&Text::new(text, place, style))?;
    Ok(())
}

/// Draws in both widths, which `height` and `with` receive.
fn draw(height: impl Fn(Width) -> u32, with: impl Fn(&Area<'_>, Width) -> Outcome) -> Drawn {
    let one = |width: Width| -> Result<String, Box<dyn std::error::Error>> {
        let mut svg = String::new();
        {
            let size = (width.pixels(), height(width));
            let area = SVGBackend::with_string(&mut svg, size).into_drawing_area();
            with(&area, width)?;
            area.present()?;
        }
        Ok(svg)
    };
    Ok(Svg {
        wide: one(Width::Wide)?,
        narrow: one(Width::Narrow)?,
    })
}

#[cfg(test)]
mod tests;
