# Completion of the stiction command for bash. What can be typed is asked of the program itself.

_stiction_verbs() {
  stiction --help 2>/dev/null | sed -n '/^Verbs:/,/^$/s/^  \([a-z]*\) .*/\1/p'
}

# Options of verb $1, in both spellings.
_stiction_options() {
  stiction "$1" --help 2>/dev/null | sed -n '/^Options:/,/^$/p' |
    sed -n -e 's/^  \(-[a-z]\), .*/\1/p' -e 's/^ .*\(--[a-z0-9-]*\).*/\1/p'
}

# Laws that `stiction law` knows.
_stiction_laws() {
  stiction law --help 2>/dev/null | sed -n '/^Laws:/,$s/^  \([a-z-]*\) .*/\1/p'
}

# Parameters of the scene on the line: the word behind `run`.
_stiction_parameters() {
  stiction run "${COMP_WORDS[2]}" --list 2>/dev/null | sed -n 's/^parameter *\([^ ]*\) .*/\1/p'
}

# First column of `stiction list $1`.
_stiction_names() {
  stiction list "$1" 2>/dev/null | sed 's/ .*//'
}

_stiction_words() {
  # shellcheck disable=SC2207  # names have no blanks
  COMPREPLY=($(compgen -W "$1" -- "$2"))
}

_stiction_files() {
  local IFS=$'\n'
  # shellcheck disable=SC2207  # one name per line
  COMPREPLY=($(compgen -f -- "$1"))
  compopt -o filenames 2>/dev/null || true
}

# The argument of option $1, as far as typed: $2. Fails if $1 takes none that is known.
_stiction_argument() {
  case $1 in
  -m | --method) _stiction_words "$(_stiction_names methods)" "$2" ;;
  --methods) # a,b,c: the last one is completed
    _stiction_words "$(_stiction_names methods | sed "s/^/${2%"${2##*,}"}/")" "$2"
    compopt -o nospace 2>/dev/null || true
    ;;
  --to) _stiction_words "local global" "$2" ;;
  --set)
    if [ "${COMP_WORDS[1]}" = run ]; then
      _stiction_words "$(_stiction_parameters | sed 's/$/=/')" "$2"
    else
      _stiction_words "$(_stiction_names settings | sed 's/$/=/')" "$2"
    fi
    compopt -o nospace 2>/dev/null || true
    ;;
  -o | --output | --check | --profile | --history | --plot | --csv | --svg | --png | --vtk | --fclib) _stiction_files "$2" ;;
  -t | --tol | --max-iter | --time-limit | -j | --threads | --jobs | --repeat | --rank-limit | \
    --existence-limit | --max-nodes | \
    -n | --n | --n2 | --mu | --mu2 | --step | --seed | --disorder | --param | -k | --k | \
    --mu-s | --mu-k | --v-c | --exponent | --distance | --end | --points | --until | \
    --checkpoint | --memory | --columns | --row | --at | --size | --camera | --hide | --moments | --every | --external) COMPREPLY=() ;;
  *) return 1 ;;
  esac
}

_stiction() {
  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} verb=${COMP_WORDS[1]}
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    _stiction_words "$(_stiction_verbs) --help --version" "$word"
    return
  fi
  _stiction_argument "$before" "$word" && return
  case $word in
  -*)
    _stiction_words "$(_stiction_options "$verb")" "$word"
    return
    ;;
  esac
  case $verb in
  list)
    _stiction_words "methods laws settings kinds scenes elements materials contact steps" "$word"
    ;;
  generate) _stiction_words "$(_stiction_names kinds)" "$word" ;;
  law) _stiction_words "$(_stiction_laws)" "$word" ;;
  run)
    _stiction_words "$(_stiction_names scenes)" "$word"
    [ ${#COMPREPLY[@]} -gt 0 ] || _stiction_files "$word"
    ;;
  *) _stiction_files "$word" ;;
  esac
}

complete -F _stiction stiction
