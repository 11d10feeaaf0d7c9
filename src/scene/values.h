// Values of a scene: numbers, vectors and named fields, checked one by one. Whatever is wrong is
// raised as a Lua error whose sentence names the entry and says what would be right.
#ifndef STC_SCENE_VALUES_H
#define STC_SCENE_VALUES_H

#include <lua.h>

#include <stiction/base.h>

/// A table with known names, `what` it belongs to ("wall 'floor'").
typedef struct stc_fields {
  lua_State *L;
  int table;
  const char *what;
} stc_fields;

/// The table at `index`; refuses a key that is not among `names`, with the nearest one. NULL
/// ends the names.
stc_fields stc_fields_open(lua_State *L, int index, const char *what, const char *const *names);

/// The same with the names behind `what`.
#define STC_FIELDS(L, index, what, ...)                                                            \
  stc_fields_open((L), (index), (what), (const char *const[]){__VA_ARGS__, NULL})

/// "; did you mean 'NAME'?" with the name nearest to a word; empty where none is near.
typedef struct stc_hint {
  char text[100];
} stc_hint;
stc_hint stc_hint_for(const char *word, stc_name_fn name, const void *user);
const char *stc_listed_name(const void *names, int k);  ///< of names that NULL ends

/// Raises where the word was described before; it is from now on.
void stc_say_once(lua_State *L, bool *said, const char *word);

/// Pushes a field and returns its type.
int stc_field(const stc_fields *fields, const char *name);
bool stc_field_is_there(const stc_fields *fields, const char *name);

/// A finite number within a range; the first must be there.
double stc_field_number(const stc_fields *fields, const char *name, double least, double greatest);
double stc_field_number_or(const stc_fields *fields, const char *name, double fallback,
                           double least, double greatest);
bool stc_field_flag(const stc_fields *fields, const char *name);

/// A text that lives as long as the table; NULL if it is not there.
const char *stc_field_text(const stc_fields *fields, const char *name);

/// Pushes a field that must be a list, `wanted`, of `least` to `greatest` entries; how many it has.
int stc_field_list(const stc_fields *fields, const char *name, const char *wanted, int least,
                   int greatest);

/// The number of a field's text among `names`, which NULL ends; `fallback` where the field is not
/// there, below 0: it must be.
int stc_field_choice(const stc_fields *fields, const char *name, const char *kind,
                     const char *const *names, int fallback);

/// Names of the fields of an X-macro, and the taking of them into *keys.
#define STC_KEY_NAME(type, name, initial, least, greatest, meaning) #name,
#define STC_KEY_TAKE(type, name, initial, least, greatest, meaning)                                \
  keys->name = (type)stc_field_number_or(&f, #name, (double)keys->name, least, greatest);

/// A type of userdata that scenes hold without looking inside; and one of them, a copy of
/// `content`, on top of the stack.
void stc_handle_open(lua_State *L, const char *type);
int stc_handle_give(lua_State *L, const char *type, const void *content, size_t size);

/// A function of the scene, kept in the registry.
typedef struct stc_callback {
  int ref;   ///< LUA_NOREF: none
  int line;  ///< on which it is defined
} stc_callback;

bool stc_callback_is_there(const stc_callback *callback);
void stc_callback_push(lua_State *L, const stc_callback *callback);

/// Takes the function on top of the stack.
stc_callback stc_callback_take(lua_State *L);

/// A function; none if the field is not there.
stc_callback stc_field_function(const stc_fields *fields, const char *name);

/// Refuses the value at `index`: "what: name is a string; give WANTED".
int stc_refuse(lua_State *L, int index, const char *what, const char *name, const char *wanted);

/// The number at `index`, which must be finite.
double stc_take_number(lua_State *L, int index, const char *what, const char *name);

/// The list of exactly `count` finite numbers at `index`.
void stc_take_vector(lua_State *L, int index, const char *what, const char *name, double *x,
                     int count);

/// The list of `count` lists of `count` numbers at `index`, by rows.
void stc_take_matrix(lua_State *L, int index, const char *what, const char *name, double *A,
                     int count);

/// A table that the program fills, on top of the stack: a scene cannot add entries to it, which
/// would be a memory that a restart loses.
void stc_guard_table(lua_State *L);

/// Entry `name` of the table below the value on top of the stack, which is taken; guarded or not.
void stc_put_field(lua_State *L, const char *name);

/// The list at `index` becomes x [count].
void stc_give_vector(lua_State *L, int index, const double *x, int count);

#endif
