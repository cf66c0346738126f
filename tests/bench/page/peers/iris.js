// Iris: the app's own `LiveText`, compiled to WebAssembly by tests/bench/iris. The build puts it beside this bundle.

const glue = await import(new URL("iris/bench_iris.js", document.baseURI).href);
const { memory } = await glue.default();
const memoryOf = memory;

export const styles = ["iris.css"];
export const className = "markdown";

/** Bytes of the instance's memory: the JavaScript heap does not count them. */
const size = () => memoryOf.buffer.byteLength;
export { size as memory };

export function create(host) {
  const live = new glue.Live(host);
  return {
    write: (delta) => live.write(delta),
    end: () => live.end(),
    close: () => live.free(),
  };
}
