#!/bin/sh
# Stands where `hermes` would: notes how it was called, then does what the test's scene says.
# usage: hermes.sh chat --scene FILE …   (anything else is the question for version and help)
scene=
for argument in "$@"; do
  [ "$before" = --scene ] && scene=$argument
  before=$argument
done
if [ -z "$scene" ]; then
  case "$1" in
    --version) echo "Hermes Agent v9.9 (today)" ;;
    *) echo "usage: hermes chat [--query-file PATH] [--format {text,stream-json}] [--resume SESSION_ID]" ;;
  esac
  exit 0
fi
printf '%s\n' "$@" >"$scene.arguments"
env >"$scene.environment"
cat >"$scene.prompt"
echo begun >>"$scene.runs"
init() { printf '{"type":"system","subtype":"init","model":"m","session_id":"%s","timestamp":1}\n' "${1:-s1}"; }
text() { printf '{"type":"text","text":"%s","timestamp":2}\n' "$1"; }
result() { # code text [error]
  printf '{"type":"result","session_id":"s1","exit_code":%s,"text":"%s","tokens":{"total":7},"duration_ms":5' "$1" "$2"
  [ -z "$3" ] || printf ',"error":"%s"' "$3"
  printf '}\n'
}
. "$scene"
