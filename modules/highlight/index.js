export { Lexer } from "./lexer.js";
export { language, lexer } from "./languages.js";
