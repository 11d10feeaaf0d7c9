#!/bin/sh
# The checker of the other tests refuses what is not JSON [RFC 8259] and takes what is.
# shellcheck source-path=SCRIPTDIR source=assert.sh
. "$(dirname "$0")/assert.sh"

accepts() {
  printf "%b" "$1" >text
  run json_check text
  exits 0
}
refuses() {
  printf "%b" "$1" >text
  run json_check text
  exits 1
}

accepts '{}'
accepts ' {"a": [1, -2.5e-3, 0, true, false, null, "x\\u00e9\\n", {}, []]}\n'
accepts '{"a": "\0303\0251"}'  # é in UTF-8
refuses ''
refuses '[]'                   # not an object
refuses '{} {}'                # two of them
refuses '{"a": 1,}'            # trailing comma
refuses '{"a" 1}'              # no colon
refuses '{a: 1}'               # name without quotes
refuses '{"a": nan}'
refuses '{"a": inf}'
refuses '{"a": 01}'            # leading zero
refuses '{"a": 1.}'            # no digit behind the point
refuses '{"a": +1}'
refuses '{"a": "b}'            # no end
refuses '{"a": "\t"}'          # raw control character
refuses '{"a": "\\x41"}'       # unknown escape
refuses '{"a": "\0377"}'        # not UTF-8
refuses '{"a": "\0300\0257"}'    # overlong form
refuses '{"a": "\0355\0240\0200"}' # surrogate
refuses '{"a": 1, "a": 2}'     # the same name twice
refuses '{"a": [1, 2}'

printf '{"a": {"b": 1}, "b": [2]}' >text
run json_check text b a
exits 0
check "values as they stand" test "$(cat out)" = '[2]
{"b": 1}'
run json_check text c
exits 1

finish
