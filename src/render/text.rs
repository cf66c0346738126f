//! Text nodes patched so that the reader's selection in what stays survives.

use wasm_bindgen::JsValue;
use web_sys::Text;

/// Makes `node`, which shows `old`, show `new`: growth is appended, anything else replaces what differs at the end.
///
/// Never `nodeValue =`: the browser would drop a selection inside.
pub(super) fn patch_text(node: &Text, old: &str, new: &str) -> Result<(), JsValue> {
    if let Some(added) = new.strip_prefix(old) {
        return if added.is_empty() { Ok(()) } else { node.append_data(added) };
    }
    let kept = common_prefix(old, new);
    let gone = utf16_len(old.get(kept..).unwrap_or_default());
    let at = node.length().checked_sub(gone).ok_or("somebody else changed a text node of the answer")?;
    node.replace_data(at, gone, new.get(kept..).unwrap_or_default())
}

/// The length in bytes of the longest common prefix that ends between characters.
fn common_prefix(a: &str, b: &str) -> usize {
    let mut kept = a.bytes().zip(b.bytes()).take_while(|(a, b)| a == b).count();
    while !(a.is_char_boundary(kept) && b.is_char_boundary(kept)) {
        kept -= 1;
    }
    kept
}

/// The length in the page's unit.
fn utf16_len(text: &str) -> u32 {
    text.chars().map(|c| c.len_utf16() as u32).sum()
}
