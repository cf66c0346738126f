//! What raises a stale timeout: a large context, and a model that thinks before it writes.

/// The slugs of the models that think, by the seconds below which a stale timeout does not go for them.
const FLOORS: [(f64, &[&str]); 4] = [
    (
        600.0,
        &[
            "nemotron-3-ultra",
            "nemotron-3-super",
            "nemotron-3.5-super-vl",
            "deepseek-r1",
            "deepseek-reasoner",
            "deepseek-flash",
            "deepseek-v4-flash",
            "deepseek-v4.1-flash",
            "deepseek-v4-pro",
            "o1",
            "o1-mini",
            "o1-pro",
            "o1-preview",
            "o3",
            "o3-pro",
            "gpt-5.6",
            "gpt-6",
            "claude-fable",
            "gemini-4",
        ],
    ),
    (
        300.0,
        &[
            "nemotron-3-nano",
            "nemotron-3.5-lightning",
            "qwq-32b",
            "o3-mini",
            "o4-mini",
            "grok-4-fast-reasoning",
            "grok-4.20-reasoning",
            "grok-4.5",
            "grok-4.6",
            "ox-alpha",
            "x-preview-f-free",
            "inkling",
            "minimax-m2",
        ],
    ),
    (240.0, &["claude-opus-4", "claude-opus-5"]),
    (
        180.0,
        &["qwen3", "claude-sonnet-5", "claude-sonnet-4.5", "claude-sonnet-4.6", "grok-4-fast-non-reasoning"],
    ),
];

/// The regions that may stand before a model's name on Bedrock.
const REGIONS: [&str; 11] =
    ["global.", "us.", "eu.", "apac.", "ap.", "au.", "jp.", "ca.", "sa.", "me.", "af."];

/// The stale timeout for a context of `tokens`: at least 240 s above 50,000, at least 300 s above 100,000.
pub fn scale_for_context(base: f64, tokens: u64) -> f64 {
    if tokens > 100_000 {
        base.max(300.0)
    } else if tokens > 50_000 {
        base.max(240.0)
    } else {
        base
    }
}

/// The seconds below which the stale timeout of `model` does not go; `None` when it is not known to think.
pub fn reasoning_floor(model: &str) -> Option<f64> {
    reasoning_slug(model).map(|(_, floor)| floor)
}

/// The slug that matched, and its floor: the longest that the name (after its last `/`) begins with, followed by its end or one of `- . _ :`.
pub fn reasoning_slug(model: &str) -> Option<(&'static str, f64)> {
    let name = model.trim().to_lowercase();
    let name = name.rsplit('/').next().unwrap_or_default();
    let slugs = FLOORS.iter().flat_map(|(floor, slugs)| slugs.iter().map(move |slug| (*slug, *floor)));
    slugs.filter(|(slug, _)| begins_with(name, slug)).max_by_key(|(slug, _)| slug.len())
}

fn begins_with(name: &str, slug: &str) -> bool {
    name.strip_prefix(slug).is_some_and(|rest| rest.is_empty() || rest.starts_with(['-', '.', '_', ':']))
}

/// The same for a Bedrock inference profile: region and vendor are left out, and `4-6` also means `4.6`.
pub fn bedrock_floor(model: &str) -> Option<f64> {
    let name = model.trim().to_lowercase();
    let name = REGIONS.iter().find_map(|region| name.strip_prefix(region)).unwrap_or(&name).to_owned();
    let mut forms = vec![name.clone()];
    if let Some((_, after)) = name.rsplit_once('.') {
        forms.extend([after.to_owned(), name.replacen('.', "-", 1)]);
    }
    let both = forms
        .iter()
        .flat_map(|form| [form.clone(), between_digits(form, '-', '.'), between_digits(form, '.', '-')]);
    both.into_iter().find_map(|form| reasoning_floor(&form))
}

/// `text` with `from` replaced by `to` where it stands between two digits.
fn between_digits(text: &str, from: char, to: char) -> String {
    let mut previous = ' ';
    let mut characters = text.chars().peekable();
    let mut out = String::with_capacity(text.len());
    while let Some(character) = characters.next() {
        let inside = character == from
            && previous.is_ascii_digit()
            && characters.peek().is_some_and(char::is_ascii_digit);
        out.push(if inside { to } else { character });
        previous = character;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bedrock_profile_is_known_by_the_model_inside_it() {
        for (profile, floor) in [
            ("us.anthropic.claude-opus-4-6-v1:0", Some(240.0)),
            ("anthropic.claude-sonnet-4-6-20260101-v1:0", Some(180.0)),
            ("us.deepseek.r1-v1:0", Some(600.0)),
            ("amazon.nova-pro-v1:0", None),
        ] {
            assert_eq!(bedrock_floor(profile), floor, "{profile}");
        }
    }
}
