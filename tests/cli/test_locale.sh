#!/bin/sh
# The library in a host that has chosen another locale: with a decimal comma, and one whose small
# letter of I is none of ASCII. What it prints and every file it writes has the same bytes as in the
# "C" locale. The locales are made here from the sources of the package `locales`; without them the
# test is skipped.
# shellcheck source-path=SCRIPTDIR source=assert.sh
. "$(dirname "$0")/assert.sh"

if ! localedef -i de_DE -f UTF-8 ./de_DE.UTF-8 >/dev/null 2>&1 && [ ! -d de_DE.UTF-8 ]; then
  echo "no locale with a decimal comma can be made here; is the package 'locales' installed?"
  exit 77
fi
localedef -i tr_TR -f UTF-8 ./tr_TR.UTF-8 >/dev/null 2>&1
LOCPATH=$directory
export LOCPATH

# trip LOCALE: what the library makes in it, in a directory of that name.
trip() {
  mkdir "$1.files" && cd "$1.files" || exit 1
  LC_ALL=$1 run in_locale
  exits 0
  cd ..
}

trip C
for locale in de_DE.UTF-8 tr_TR.UTF-8; do
  LC_ALL=$locale run in_locale --comma
  check "a decimal comma in $locale" test "$status" -eq 0
  trip $locale
  for file in C.files/*; do
    run cmp "$file" "$locale.files/${file#C.files/}"
    exits 0
  done
  run diff -r C.files $locale.files
  exits 0
done

# Whatever a library that is loaded before the program chose.
printf '#include <locale.h>\n__attribute__((constructor)) static void choose(void) {' >choose.c
echo 'setlocale(LC_ALL, ""); }' >>choose.c
if cc -shared -fPIC -o choose.so choose.c 2>/dev/null; then
  LD_PRELOAD=./choose.so LC_ALL=de_DE.UTF-8 run stiction law coulomb --mu 0.25 --points 2
  exits 0
  shows '^ *1  *0\.25$'
fi

finish
