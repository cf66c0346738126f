//! What a scalar means to Hermes, which reads YAML 1.1: `off` is a switch, `010` is eight and `1:30` is ninety.

use crate::stall::timers::python_float;

/// A scalar: its text, and what Hermes makes of it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Scalar {
    /// The text, unescaped.
    pub text: String,
    /// What it means.
    pub value: Typed,
}

/// The meaning of a scalar.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Typed {
    /// Nothing.
    Null,
    /// A switch.
    Bool(bool),
    /// A whole number.
    Int(i64),
    /// A number.
    Float(f64),
    /// Text, or something else that is no number and no switch.
    Text,
}

impl Typed {
    /// The number, if it is one. A switch is none.
    pub(super) fn number(self) -> Option<f64> {
        match self {
            Self::Int(number) => Some(number as f64),
            Self::Float(number) => Some(number),
            Self::Null | Self::Bool(_) | Self::Text => None,
        }
    }
}

impl Scalar {
    /// A scalar; one that is quoted is text whatever it looks like.
    pub(super) fn new(text: &str, plain: bool) -> Self {
        Self { text: text.to_owned(), value: if plain { resolve(text) } else { Typed::Text } }
    }
}

fn resolve(text: &str) -> Typed {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => Typed::Null,
        "y" | "Y" | "yes" | "Yes" | "YES" | "on" | "On" | "ON" | "true" | "True" | "TRUE" => {
            Typed::Bool(true)
        }
        "n" | "N" | "no" | "No" | "NO" | "off" | "Off" | "OFF" | "false" | "False" | "FALSE" => {
            Typed::Bool(false)
        }
        _ => integer(text).map(Typed::Int).or_else(|| float(text).map(Typed::Float)).unwrap_or(Typed::Text),
    }
}

/// Splits a sign off.
fn signed(text: &str) -> (f64, &str) {
    match text.strip_prefix('-') {
        Some(rest) => (-1.0, rest),
        None => (1.0, text.strip_prefix('+').unwrap_or(text)),
    }
}

fn integer(text: &str) -> Option<i64> {
    let (sign, digits) = signed(text);
    let radix = |digits: &str, radix| i64::from_str_radix(&digits.replace('_', ""), radix).ok();
    let plain = |digits: &str| {
        digits.starts_with(|c: char| c.is_ascii_digit())
            && digits.chars().all(|c| c.is_ascii_digit() || c == '_')
    };
    let number = if let Some(bits) = digits.strip_prefix("0b") {
        radix(bits, 2)
    } else if let Some(hex) = digits.strip_prefix("0x") {
        radix(hex, 16)
    } else if digits.contains(':') {
        sexagesimal(digits).filter(|_| !digits.contains('.')).map(|number| number as i64)
    } else if !plain(digits) {
        None
    } else if digits.len() > 1 && digits.starts_with('0') {
        radix(digits, 8)
    } else {
        radix(digits, 10)
    }?;
    Some(if sign < 0.0 { number.saturating_neg() } else { number })
}

/// `1:30` is ninety: a number to the base of sixty.
fn sexagesimal(digits: &str) -> Option<f64> {
    let mut parts = digits.split(':');
    let first = parts
        .next()
        .filter(|part| part.starts_with(|c: char| ('1'..='9').contains(&c)) || digits.contains('.'))?;
    parts.try_fold(first.replace('_', "").parse::<f64>().ok()?, |total, part| {
        let part: f64 = part.parse().ok().filter(|part| (0.0..60.0).contains(part))?;
        Some(total * 60.0 + part)
    })
}

fn float(text: &str) -> Option<f64> {
    let (sign, digits) = signed(text);
    match digits {
        ".inf" | ".Inf" | ".INF" => return Some(sign * f64::INFINITY),
        ".nan" | ".NaN" | ".NAN" => return Some(f64::NAN),
        _ => {}
    }
    if digits.contains(':') {
        return sexagesimal(digits).map(|number| sign * number);
    }
    let numeric = digits.starts_with(|c: char| c.is_ascii_digit() || c == '.')
        && digits.contains(|c: char| c.is_ascii_digit())
        && digits.chars().all(|c| c.is_ascii_digit() || matches!(c, '.' | '_' | 'e' | 'E' | '+' | '-'));
    (numeric && digits.contains(['.', 'e', 'E']))
        .then(|| python_float(&digits.replace('_', "")))
        .flatten()
        .map(|number| sign * number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scalar_means_what_it_means_to_hermes() {
        let tables: serde_json::Value =
            serde_json::from_str(include_str!("../../../tests/fixtures/stall/more-table.json")).unwrap();
        for row in tables["yaml_scalars"].as_array().unwrap() {
            let (text, value) = (row["text"].as_str().unwrap(), row["value"].as_str().unwrap());
            let plain = !text.starts_with('\'');
            let expected = match row["type"].as_str().unwrap() {
                "NoneType" => Typed::Null,
                "bool" => Typed::Bool(value == "True"),
                "int" => Typed::Int(value.parse().unwrap()),
                "float" => Typed::Float(value.parse().unwrap()),
                // A date is no number either.
                "str" | "date" => Typed::Text,
                other => panic!("{other}"),
            };
            let same = match (Scalar::new(text, plain).value, expected) {
                (Typed::Float(a), Typed::Float(b)) => a == b || (a.is_nan() && b.is_nan()),
                (found, expected) => found == expected,
            };
            assert!(same, "{row}: {:?}", Scalar::new(text, plain).value);
        }
    }
}
