// SPDX-License-Identifier: MIT OR Apache-2.0
//! Tests where charts draw their shapes and texts.

use super::{Bar, Kind, Lines, Point, Series, Svg, amount, bars, figure, panels, relative};

/// The estimated width of a character.
const CHARACTER: f64 = 7.0;
/// The estimated half of a line's height.
const HALF_LINE: f64 = 6.0;

/// A shape or a text, and the box around it.
#[derive(Debug)]
struct Shape {
    element: String,
    text: String,
    x: (f64, f64),
    y: (f64, f64),
}

impl Shape {
    fn has(&self, attribute: &str) -> bool {
        self.element.contains(attribute)
    }

    fn middle(&self) -> (f64, f64) {
        ((self.x.0 + self.x.1) / 2.0, (self.y.0 + self.y.1) / 2.0)
    }

    fn width(&self) -> f64 {
        self.x.1 - self.x.0
    }

    fn meets(&self, other: &Shape) -> bool {
        let meet = |a: (f64, f64), b: (f64, f64)| a.0 < b.1 && b.0 < a.1;
        meet(self.x, other.x) && meet(self.y, other.y)
    }
}

fn attribute<'a>(element: &'a str, name: &str) -> &'a str {
    let value = element.split_once(&format!(" {name}=\""));
    value.map_or("", |(_, rest)| rest.split('"').next().expect("a value"))
}

fn parsed(number: &str) -> f64 {
    number.parse().expect("a number")
}

/// Returns the points between which a shape extends.
fn corners(element: &str, text: &str) -> Vec<(f64, f64)> {
    let at = |name| parsed(attribute(element, name));
    match element.split(' ').next().expect("a tag") {
        "<svg" => vec![(0.0, 0.0), (at("width"), at("height"))],
        "<rect" => vec![
            (at("x"), at("y")),
            (at("x") + at("width"), at("y") + at("height")),
        ],
        "<circle" => [-1.0, 1.0]
            .map(|side| (at("cx") + side * at("r"), at("cy") + side * at("r")))
            .into(),
        "<polyline" => attribute(element, "points")
            .split_whitespace()
            .map(|point| point.split_once(',').expect("two numbers"))
            .map(|(x, y)| (parsed(x), parsed(y)))
            .collect(),
        "<text" => {
            let width = CHARACTER * text.chars().count() as f64;
            let left = match attribute(element, "text-anchor") {
                "start" => at("x"),
                "end" => at("x") - width,
                _ => at("x") - width / 2.0,
            };
            let middle = match attribute(element, "dy") {
                "0.76em" => at("y") + HALF_LINE,
                "-0.5ex" => at("y") - HALF_LINE,
                _ => at("y"),
            };
            vec![
                (left, middle - HALF_LINE),
                (left + width, middle + HALF_LINE),
            ]
        }
        _ => Vec::new(),
    }
}

fn range(values: impl Iterator<Item = f64>) -> (f64, f64) {
    values.fold((f64::MAX, f64::MIN), |(low, high), value| {
        (low.min(value), high.max(value))
    })
}

/// Returns the shapes of a chart. Checks that all are within the chart, which ends soon below them,
/// and that no texts meet.
fn shapes(svg: &str) -> Vec<Shape> {
    let mut lines = svg.lines();
    let mut shapes = Vec::new();
    while let Some(element) = lines.next() {
        let is_text = element.starts_with("<text");
        let text = if is_text { lines.next() } else { None }.unwrap_or_default();
        let corners = corners(element, text);
        if !corners.is_empty() {
            shapes.push(Shape {
                element: element.to_owned(),
                text: text.to_owned(),
                x: range(corners.iter().map(|corner| corner.0)),
                y: range(corners.iter().map(|corner| corner.1)),
            });
        }
    }
    let chart = shapes.remove(0);
    for (index, shape) in shapes.iter().enumerate() {
        assert!(shape.x.0 >= 0.0 && shape.x.1 <= chart.x.1, "{shape:?}");
        assert!(shape.y.0 >= 0.0 && shape.y.1 <= chart.y.1, "{shape:?}");
        let mut others = shapes[..index].iter().filter(|_| is_text(shape));
        let met = others.find(|other| is_text(other) && other.meets(shape));
        assert!(met.is_none(), "{shape:?} meets {met:?}");
    }
    let (_, lowest) = range(shapes.iter().map(|shape| shape.y.1));
    assert!(chart.y.1 - lowest < 20.0, "{lowest} of {chart:?}");
    shapes
}

fn is_text(shape: &Shape) -> bool {
    !shape.text.is_empty()
}

fn text<'a>(shapes: &'a [Shape], text: &str) -> &'a Shape {
    let found = shapes.iter().find(|shape| shape.text == text);
    found.unwrap_or_else(|| panic!("no text '{text}'"))
}

/// Returns the shapes of the wide chart and of the narrow one.
fn both(svg: &Svg) -> [Vec<Shape>; 2] {
    [shapes(&svg.wide), shapes(&svg.narrow)]
}

fn bar(label: &str, value: f64, kind: Kind) -> Bar {
    Bar {
        label: label.to_owned(),
        value,
        range: (value, value),
        is_noisy: false,
        bound: None,
        kind,
    }
}

/// Returns bars of every kind in a report of implementations.
fn implementations() -> [Bar; 3] {
    [
        bar("portable", 4.0, Kind::Usual),
        Bar {
            range: (1.9, 2.4),
            bound: Some(1.5),
            ..bar("avx2", 2.0, Kind::Chosen)
        },
        Bar {
            range: (0.99, 1.01),
            is_noisy: true,
            ..bar("tables", 1.0, Kind::OptIn)
        },
    ]
}

/// Splits the rectangles into squares of the legend and bars.
fn rectangles(shapes: &[Shape]) -> (Vec<&Shape>, Vec<&Shape>) {
    let all = shapes.iter().filter(|shape| shape.has("<rect"));
    all.partition(|shape| shape.width() < 20.0)
}

fn polylines(shapes: &[Shape]) -> Vec<&Shape> {
    let all = shapes.iter().filter(|shape| shape.has("<polyline"));
    all.collect()
}

#[test]
fn bars_are_proportional_and_have_their_labels_and_values_beside_them() {
    let svg = bars("title", "unit", &implementations()).expect("a chart");
    for (shapes, is_wide) in both(&svg).iter().zip([true, false]) {
        let (_, bars) = rectangles(shapes);
        let rows = [("portable", "4.00"), ("avx2", "2.00"), ("tables", "~1.00")];
        assert_eq!(bars.len(), rows.len());
        for (index, (bar, (label, value))) in bars.iter().zip(rows).enumerate() {
            let length = bars[0].width() / f64::from(1 << index);
            assert!((bar.width() - length).abs() <= 1.0, "{bar:?}");
            assert_eq!(bar.x.0, bars[0].x.0);
            let (label, value) = (text(shapes, label), text(shapes, value));
            assert_eq!(value.middle().1, bar.middle().1);
            assert!(value.x.0 > bar.x.1, "{value:?}");
            if is_wide {
                assert_eq!(label.middle().1, bar.middle().1);
                assert!(label.x.1 < bar.x.0, "{label:?}");
            } else {
                assert!((0.0..9.0).contains(&(bar.y.0 - label.y.1)), "{label:?}");
                assert!(!bars.iter().any(|bar| bar.meets(label)), "{label:?}");
            }
            assert_eq!(label.has("bold"), index == 1, "{label:?}");
            assert_eq!(bar.has("fill=\"none\""), index == 2, "{bar:?}");
        }
    }
}

#[test]
fn quartiles_and_bounds_are_marked_on_their_bars() {
    let svg = bars("title", "unit", &implementations()).expect("a chart");
    for shapes in both(&svg) {
        let (_, bars) = rectangles(&shapes);
        let [axis, chosen, bound, noisy] = polylines(&shapes)[..] else {
            panic!("{:?}", polylines(&shapes));
        };
        assert_eq!(axis.x, (bars[0].x.0, bars[0].x.0));
        assert!(axis.y.0 <= bars[0].y.0, "{axis:?}");
        assert!((0.0..9.0).contains(&(axis.y.1 - bars[2].y.1)), "{axis:?}");
        for (mark, values, bar, value) in [
            (chosen, (1.9, 2.4), bars[1], "2.00"),
            (bound, (1.5, 1.5), bars[1], "2.00"),
            (noisy, (0.99, 1.01), bars[2], "~1.00"),
        ] {
            let x = |value: f64| bar.x.0 + value * bars[0].width() / 4.0;
            assert!((mark.x.0 - x(values.0)).abs() <= 1.0, "{mark:?}");
            assert!((mark.x.1 - x(values.1)).abs() <= 1.0, "{mark:?}");
            assert_eq!(mark.middle().1, bar.middle().1);
            assert!(mark.x.1 < text(&shapes, value).x.0);
        }
        assert!(bound.y.0 < bars[1].y.0);
    }
}

#[test]
fn quartiles_and_bounds_beyond_all_bars_are_within_the_chart() {
    for (range, bound) in [((1.0, 8.0), None), ((1.0, 1.0), Some(8.0))] {
        let short = bar("portable", 1.0, Kind::Usual);
        let bar = Bar {
            range,
            bound,
            ..short
        };
        let svg = bars("title", "unit", &[bar]).expect("a chart");
        for shapes in both(&svg) {
            let (axis, mark) = (polylines(&shapes)[0], polylines(&shapes)[1]);
            let bar = shapes
                .iter()
                .rfind(|shape| shape.has("<rect"))
                .expect("a bar");
            let times = (mark.x.1 - axis.x.0) / bar.width();
            assert!((7.5..8.5).contains(&times), "{times}");
            assert!(mark.x.1 < text(&shapes, "1.00").x.0);
        }
    }
}

#[test]
fn a_legend_names_the_colours_that_occur_unless_there_is_one() {
    const GREY: &str = "#9DB2CC";
    const BLUE: &str = "#1F6FD6";
    const GREEN: &str = "#007A5A";
    let alone = || bar("a", 1.0, Kind::Usual);
    let with_bound = Bar {
        bound: Some(0.5),
        ..alone()
    };
    let opt_in = || bar("b", 1.0, Kind::OptIn);
    let overview = [Kind::OneMessage, Kind::ManyMessages].map(|kind| bar("c", 1.0, kind));
    let dagger = ("† not constant-time", "#D98E2B");
    let bound = ("bound", "#C2352B");
    for (drawn, expected) in [
        (vec![alone()], vec![]),
        (vec![opt_in()], vec![dagger]),
        (
            vec![alone(), bar("b", 1.0, Kind::Chosen)],
            vec![("selected", BLUE), ("other", GREY)],
        ),
        (vec![alone(), opt_in()], vec![("other", GREY), dagger]),
        (vec![alone(), with_bound], vec![bound]),
        (
            overview.into(),
            vec![("one message", BLUE), ("many messages", GREEN)],
        ),
        (
            implementations().into(),
            vec![("selected", BLUE), ("other", GREY), dagger, bound],
        ),
    ] {
        let svg = bars("title", "unit", &drawn).expect("a chart");
        for shapes in both(&svg) {
            let (squares, bars) = rectangles(&shapes);
            assert_eq!(squares.len(), expected.len());
            for (square, (name, colour)) in squares.iter().zip(&expected) {
                let name = text(&shapes, name);
                assert!(square.has(colour), "{square:?}");
                assert_eq!(square.middle().1, name.middle().1);
                assert!((0.0..13.0).contains(&(name.x.0 - square.x.1)), "{square:?}");
                assert!(square.y.1 < bars[0].y.0);
                assert_eq!(square.width() < 4.0, *colour == bound.1);
                let mut texts = shapes.iter().filter(|shape| is_text(shape));
                assert!(!texts.any(|text| text.meets(square)), "{square:?}");
            }
        }
    }
}

fn series(label: &str, costs: &[f64]) -> Series {
    let point = |(index, &y): (usize, &f64)| Point {
        x: 4_f64.powi(index as i32),
        y,
        range: (y / 1.5, y * 1.5),
        is_noisy: false,
    };
    Series {
        label: label.to_owned(),
        points: costs.iter().enumerate().map(point).collect(),
    }
}

fn lines(title: &str, series: Vec<Series>) -> Lines {
    Lines {
        title: title.to_owned(),
        x: "messages",
        ticks: vec![1.0, 4.0, 16.0],
        series,
    }
}

#[test]
fn long_labels_of_lines_fit() {
    let label = "x86-64-avx512";
    let panel = lines("", vec![series(label, &[1.0, 2.0])]);
    let svg = panels("", "", &[panel], 1).expect("drawn");
    for (shapes, width) in both(&svg).iter().zip([800.0, 350.0]) {
        // Characters of a wide font.
        let end = text(shapes, label).x.0 + 9.0 * label.len() as f64;
        assert!(end <= width, "{end}");
    }
}

#[test]
fn panels_are_side_by_side_only_in_wide_charts_and_a_single_one_is_higher() {
    let draw = |titles: &[&str]| {
        let panel = |title: &&str| lines(title, vec![series("line", &[1.0, 2.0, 4.0])]);
        let all: Vec<_> = titles.iter().map(panel).collect();
        panels("title", "unit", &all, 2).expect("a chart")
    };
    let height = |svg: &str| parsed(attribute(svg, "height"));
    let (one, two) = (draw(&[""]), draw(&["left", "right"]));
    assert_eq!(height(&one.wide), height(&one.narrow));
    assert!(height(&one.wide) > height(&two.wide));
    assert!(height(&one.narrow) < height(&two.narrow));
    let [wide, narrow] = both(&two).map(|shapes| {
        let (left, right) = (
            text(&shapes, "left").middle(),
            text(&shapes, "right").middle(),
        );
        (left.0 < right.0, left.1 < right.1)
    });
    assert_eq!((wide, narrow), ((true, false), (false, true)));
}

#[test]
fn points_are_on_logarithmic_axes_and_noisy_ones_hollow_with_their_quartiles() {
    let mut noisy = series("noisy", &[2.0, 4.0, 8.0]);
    noisy.points[1].is_noisy = true;
    let all = [lines("", vec![series("sure", &[1.0, 1.0, 1.0]), noisy])];
    let svg = panels("title", "unit", &all, 1).expect("a chart");
    for shapes in both(&svg) {
        let circles = |colour: &str| -> Vec<_> {
            let all = shapes.iter().filter(|shape| shape.has("<circle"));
            let mut all: Vec<_> = all.filter(|shape| shape.has(colour)).collect();
            all.sort_by(|a, b| a.x.0.total_cmp(&b.x.0));
            all
        };
        let near = |a: f64, b: f64| assert!((a - b).abs() <= 1.5, "{a} {b}");
        let (sure, noisy) = (circles("#0072B2"), circles("#B84A00"));
        let [places, twice] = [&sure, &noisy].map(|all| all.iter().map(|each| each.middle()));
        let (places, twice): (Vec<_>, Vec<_>) = (places.collect(), twice.collect());
        let octave = places[0].1 - twice[0].1;
        assert!(octave > 10.0, "{twice:?}");
        near(twice[0].1 - twice[1].1, octave);
        near(twice[1].1 - twice[2].1, octave);
        near(text(&shapes, "2").middle().1, twice[0].1);
        near(text(&shapes, "4").middle().0, places[1].0);
        near(text(&shapes, "16").middle().0, places[2].0);
        assert!(sure.iter().all(|circle| !circle.has("fill=\"none\"")));
        let hollow: Vec<_> = noisy.iter().map(|each| each.has("fill=\"none\"")).collect();
        assert_eq!(hollow, [false, true, false]);
        let mut marks = polylines(&shapes).into_iter();
        let quartiles = marks.rfind(|line| line.has("#B84A00")).expect("quartiles");
        assert_eq!((quartiles.width(), quartiles.x.0), (0.0, twice[1].0));
        near(quartiles.y.1 - quartiles.y.0, octave * 2.25_f64.log2());
    }
}

#[test]
fn names_of_lines_are_beside_their_ends_and_apart() {
    let last = [1.0, 1.02, 1.04, 1.06, 3.0, 3.06, 3.12, 9.0];
    let name = |index| format!("avx512-line-{index}");
    let all = last.iter().enumerate();
    let all = all
        .map(|(index, &cost)| series(&name(index), &[2.0, cost]))
        .collect();
    let svg = panels("title", "unit", &[lines("", all)], 1).expect("a chart");
    for shapes in both(&svg) {
        let names: Vec<_> = (0..last.len())
            .map(|index| text(&shapes, &name(index)))
            .collect();
        let lines = shapes
            .iter()
            .filter(|shape| shape.has("stroke-width=\"2\""));
        let ends: Vec<_> = lines.collect();
        for pair in names.windows(2) {
            assert!(pair[1].y.1 <= pair[0].y.0, "{pair:?}");
        }
        for (name, line) in names.iter().zip(&ends) {
            assert!((0.0..13.0).contains(&(name.x.0 - line.x.1)), "{name:?}");
        }
        for alone in [6, 7] {
            assert_eq!(names[alone].middle().1, ends[alone].y.0);
        }
        let marks = polylines(&shapes).into_iter();
        let mut long = marks.filter(|line| line.width() > 100.0);
        let axis = long
            .rfind(|line| !line.has("stroke-width=\"2\""))
            .expect("an axis");
        assert!(names[0].y.1 <= axis.y.0, "{:?}", names[0]);
    }
}

#[test]
fn relative_costs_are_divided_by_the_least_at_the_same_place() {
    let mut all = [series("a", &[2.0, 3.0]), series("b", &[4.0, 1.5, 7.0])];
    relative(&mut all);
    let [a, b] = all.map(|each| each.points.into_iter().map(|p| (p.y, p.range.1)));
    assert_eq!(a.collect::<Vec<_>>(), [(1.0, 1.5), (2.0, 3.0)]);
    assert_eq!(b.collect::<Vec<_>>(), [(2.0, 3.0), (1.0, 1.5), (1.0, 1.5)]);
}

#[test]
fn numbers_have_three_digits_and_lengths_binary_units() {
    let figures = [123.4, 99.9, 10.0, 9.99, 0.095, 0.0949].map(figure);
    assert_eq!(figures, ["123", "99.9", "10.0", "9.99", "0.10", "0.095"]);
    let amounts = [1.0, 1023.0, 1024.0, 1_048_575.0, 1_048_576.0].map(amount);
    assert_eq!(amounts, ["1", "1023", "1 Ki", "1023 Ki", "1 Mi"]);
}
