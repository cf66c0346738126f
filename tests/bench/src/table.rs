//! Tables for people: aligned in a terminal, and Markdown at the same time.

use std::fmt;

/// A table whose first column is text and whose others are figures.
#[derive(Clone, Debug)]
pub struct Table {
    rows: Vec<Vec<String>>,
}

impl Table {
    /// A table with these headings.
    pub fn new(headings: &[&str]) -> Self {
        Self { rows: vec![headings.iter().map(|&heading| heading.to_owned()).collect()] }
    }

    /// Adds a row.
    pub fn add(&mut self, cells: Vec<String>) {
        self.rows.push(cells);
    }

    fn widths(&self) -> Vec<usize> {
        let columns = self.rows.first().map_or(0, Vec::len);
        let cells = |column| self.rows.iter().filter_map(move |row: &Vec<String>| row.get(column));
        (0..columns).map(|column| cells(column).map(|cell| cell.chars().count()).max().unwrap_or(0)).collect()
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let widths = self.widths();
        for (number, row) in self.rows.iter().enumerate() {
            for (column, (cell, width)) in row.iter().zip(&widths).enumerate() {
                if column == 0 { write!(f, "| {cell:width$} |")? } else { write!(f, " {cell:>width$} |")? }
            }
            writeln!(f)?;
            if number == 0 {
                let rule = |(column, &width): (usize, &usize)| {
                    let dashes = "-".repeat(width.max(2) - usize::from(column > 0));
                    if column == 0 { format!("| {dashes} |") } else { format!(" {dashes}: |") }
                };
                writeln!(f, "{}", widths.iter().enumerate().map(rule).collect::<String>())?;
            }
        }
        Ok(())
    }
}

/// A time or size with as many digits as mean something.
pub fn number(value: f64) -> String {
    match value.abs() {
        size if size >= 100.0 => format!("{value:.0}"),
        size if size >= 10.0 => format!("{value:.1}"),
        _ => format!("{value:.2}"),
    }
}

/// "0.13 → 0.11".
pub fn change(first: f64, last: f64) -> String {
    format!("{} → {}", number(first), number(last))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_aligned_and_markdown() {
        let mut table = Table::new(&["who", "ms"]);
        table.add(vec!["iris".into(), number(1.234)]);
        table.add(vec!["ö".into(), number(1234.5)]);
        assert_eq!(table.to_string(), "| who  |   ms |\n| ---- | ---: |\n| iris | 1.23 |\n| ö    | 1234 |\n");
    }

    #[test]
    fn numbers_have_as_many_digits_as_mean_something() {
        assert_eq!([0.126, 12.34, 123.4].map(number), ["0.13", "12.3", "123"]);
        assert_eq!(change(0.1, 20.0), "0.10 → 20.0");
    }
}
