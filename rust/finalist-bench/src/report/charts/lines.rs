// SPDX-License-Identifier: MIT OR Apache-2.0
//! Lines over two logarithmic axes: costs by length or number of messages.

use plotters::prelude::*;
use plotters::style::text_anchor::HPos;

use super::{
    Area, Drawn, FAINT, GRID, Outcome, SERIES, TEXT, Width, amount, bold, draw, font, plain,
    text_at,
};

#[derive(Clone)]
pub struct Point {
    pub x: f64,
    pub y: f64,
    /// The quartiles.
    pub range: (f64, f64),
    /// Unreliable: drawn hollow, with its quartiles.
    pub is_noisy: bool,
}

impl Point {
    fn place(&self) -> (f64, f64) {
        (self.x, self.y)
    }

    /// Returns all values at which the point is drawn.
    fn reach(&self) -> [f64; 3] {
        match self.is_noisy {
            true => [self.y, self.range.0, self.range.1],
            false => [self.y; 3],
        }
    }
}

pub struct Series {
    pub label: String,
    pub points: Vec<Point>,
}

/// Divides the costs of series by the least cost at the same x, so that lines can be distinguished.
pub fn relative(series: &mut [Series]) {
    let all: Vec<_> = series.iter().flat_map(|each| each.points.clone()).collect();
    for point in series.iter_mut().flat_map(|each| &mut each.points) {
        let beside = all.iter().filter(|other| other.x == point.x);
        let least = beside.map(|other| other.y).fold(f64::MAX, f64::min);
        point.y /= least;
        point.range = (point.range.0 / least, point.range.1 / least);
    }
}

/// Lines over two logarithmic axes.
pub struct Lines {
    pub title: String,
    pub x: &'static str,
    /// The numbers on the x axis.
    pub ticks: Vec<f64>,
    pub series: Vec<Series>,
}

const PANEL: u32 = 250;
const HEAD: u32 = 54;
/// The distance of a label from the end of its line, and the width of a character.
const LABEL_GAP: i32 = 8;
const CHARACTER: i32 = 9;
/// Height of the axis numbers below a panel.
const AXIS: u32 = 34;

/// Draws panels of lines, `columns` in a row where there is space.
pub fn panels(title: &str, unit: &str, panels: &[Lines], columns: usize) -> Drawn {
    let columns = |width| if width == Width::Wide { columns } else { 1 };
    let panel = if panels.len() == 1 { 420 } else { PANEL };
    let height = |width| HEAD + panel * panels.len().div_ceil(columns(width)) as u32;
    draw(height, |area, width| {
        area.draw(&Text::new(title.to_owned(), (0, 6), bold()))?;
        text_at(area, unit, (0, 38), plain(FAINT.0), HPos::Left)?;
        let (_, below) = area.split_vertically(HEAD as i32);
        let columns = columns(width);
        let parts = below.split_evenly((panels.len().div_ceil(columns), columns));
        for (part, lines) in parts.iter().zip(panels) {
            draw_lines(part, lines)?;
        }
        Ok(())
    })
}

fn draw_lines(area: &Area<'_>, lines: &Lines) -> Outcome {
    let points = || lines.series.iter().flat_map(|series| &series.points);
    let (left, right) = bounds(points().map(|point| point.x));
    let (low, high) = bounds(points().flat_map(|point| point.reach()));
    let (low, high) = (low / 1.1, high * 1.1);
    let x_range = (left..right)
        .log_scale()
        .with_key_points(lines.ticks.clone());
    let y_range = (low..high).log_scale().with_key_points(steps(low, high));
    let labels = lines.series.iter().map(|each| each.label.chars().count());
    let labels = LABEL_GAP + CHARACTER * labels.max().unwrap_or(0) as i32;
    let mut builder = ChartBuilder::on(area);
    if !lines.title.is_empty() {
        let style = font(15).into_text_style(area).color(&TEXT.0);
        builder.caption(&lines.title, style);
    }
    let mut chart = builder
        .margin(8)
        .margin_right(labels)
        .x_label_area_size(AXIS)
        .y_label_area_size(46)
        .build_cartesian_2d(x_range, y_range)?;
    chart
        .configure_mesh()
        .disable_x_mesh()
        .light_line_style(TRANSPARENT)
        .bold_line_style(GRID.0)
        .axis_style(FAINT.0)
        .label_style(font(14).into_text_style(area).color(&FAINT.0))
        .x_desc(lines.x)
        .axis_desc_style(font(14).into_text_style(area).color(&FAINT.0))
        .x_label_formatter(&|value| amount(*value))
        .y_label_formatter(&|value| figure_of_step(*value))
        .draw()?;
    let mut ends = Vec::new();
    for (index, series) in lines.series.iter().enumerate() {
        let ink = SERIES[index % SERIES.len()].0;
        let line = series.points.iter().map(Point::place);
        chart.draw_series(LineSeries::new(line, ink.stroke_width(2)))?;
        let (noisy, sure): (Vec<_>, Vec<_>) = series.points.iter().partition(|p| p.is_noisy);
        chart.draw_series(sure.iter().map(|p| Circle::new(p.place(), 2, ink.filled())))?;
        chart.draw_series(noisy.iter().map(|p| {
            let whisker = vec![(p.x, p.range.0), (p.x, p.range.1)];
            PathElement::new(whisker, ink.stroke_width(1))
        }))?;
        chart.draw_series(
            noisy
                .iter()
                .map(|p| Circle::new(p.place(), 4, ink.stroke_width(1))),
        )?;
        if let Some(last) = series.points.last() {
            ends.push((chart.backend_coord(&last.place()), &series.label, ink));
        }
    }
    label_ends(area, ends)
}

type End<'a> = ((i32, i32), &'a String, RGBColor);

/// Names lines at their right ends, moved apart where they would overlap.
fn label_ends(area: &Area<'_>, mut ends: Vec<End<'_>>) -> Outcome {
    const GAP: i32 = 15;
    ends.sort_by_key(|end| end.0.1);
    let (left, top) = area.get_base_pixel();
    let mut places: Vec<i32> = Vec::new();
    for end in &ends {
        let free = places.last().map_or(i32::MIN, |last| last + GAP);
        places.push((end.0.1 - top).max(free));
    }
    // Labels below the axis would meet its numbers.
    let mut limit = area.dim_in_pixel().1 as i32 - AXIS as i32 - 16;
    for place in places.iter_mut().rev() {
        *place = (*place).min(limit);
        limit = *place - GAP;
    }
    for (((x, _), label, ink), y) in ends.into_iter().zip(places) {
        text_at(
            area,
            label,
            (x - left + LABEL_GAP, y),
            plain(ink),
            HPos::Left,
        )?;
    }
    Ok(())
}

/// Formats a step without the rounding error of its multiplication.
fn figure_of_step(value: f64) -> String {
    ((value * 1e6).round() / 1e6).to_string()
}

fn bounds(values: impl Iterator<Item = f64>) -> (f64, f64) {
    values.fold((f64::MAX, f64::MIN_POSITIVE), |(low, high), value| {
        (low.min(value), high.max(value))
    })
}

/// Returns round numbers between two limits: 1, 2, 5 of each power of ten, fewer for a wide range
/// and more for a small one.
fn steps(low: f64, high: f64) -> Vec<f64> {
    let factors: &[f64] = match high / low {
        wide if wide > 60.0 => &[1.0, 3.0],
        near if near < 6.0 => &[1.0, 1.2, 1.4, 1.6, 1.8, 2.0, 2.5, 3.0, 4.0, 5.0, 7.0],
        _ => &[1.0, 2.0, 5.0],
    };
    (-3..6)
        .flat_map(|power| {
            factors
                .iter()
                .map(move |factor| factor * 10_f64.powi(power))
        })
        .filter(|step| (low..high).contains(step))
        .collect()
}
