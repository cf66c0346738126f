// markstream-vue in its mode for chats, without pacing and fading of its own. Without the optional highlighter its code blocks
// are plain.

import MarkdownRender from "markstream-vue";
import "markstream-vue/index.css";
import { createApp, h, nextTick, ref } from "vue";

export const styles = ["bundle/peers/markstream-vue.css"];

export function create(host) {
  const content = ref("");
  const final = ref(false);
  const app = createApp({
    render: () =>
      h(MarkdownRender, {
        mode: "chat",
        content: content.value,
        final: final.value,
        smoothStreaming: false,
        fade: false,
      }),
  });
  app.mount(host);
  return {
    write(delta) {
      content.value += delta;
      return nextTick();
    },
    end() {
      final.value = true;
      return nextTick();
    },
    close: () => app.unmount(),
  };
}
