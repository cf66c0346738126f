// The DOM as text, without what may differ between two equal drawings: generated ids, state classes, how text is cut into
// nodes.

const KEPT = ["align", "alt", "checked", "href", "src", "start", "title", "type"];

/** A comparable form of what stands below `node`. */
export function picture(node) {
  const parts = [];
  draw(node, parts);
  return parts.join("");
}

function draw(node, parts) {
  for (const child of node.childNodes) {
    if (child.nodeType === Node.TEXT_NODE) {
      parts.push(child.data.replaceAll("<", "&lt;"));
    } else if (child.nodeType === Node.ELEMENT_NODE) {
      const attributes = KEPT.filter((name) => child.hasAttribute(name)).map((name) => ` ${name}=${child.getAttribute(name)}`);
      parts.push(`<${child.localName}${attributes.join("")}>`);
      draw(child, parts);
      parts.push("</>");
    }
  }
}
