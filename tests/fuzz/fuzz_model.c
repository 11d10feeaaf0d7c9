// Feeds arbitrary bytes to the reader of robots, URDF and MJCF, and makes the scene and the MJCF of
// what it accepts. Whatever the bytes are, every call returns, and a failure leaves a sentence.
#include <stiction/model.h>

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(int condition, const char *what) {
  if (condition) return;
  fprintf(stderr, "fuzz_model: %s\n", what);
  abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  stc_model *model = NULL;
  const char *text = NULL;
  stc_error error = stc_model_read_bytes("robot.xml", data, size, &model);
  must(!error || (strlen(stc_error_detail()) > 0 && !model), "a failure without a sentence");
  if (error) return 0;
  must(!stc_model_scene(model, &text) && strstr(text, "run {"), "a model without a scene");
  must(!stc_model_mjcf(model, &text) && strstr(text, "</mujoco>"), "a model without MJCF");
  for (int k = 0; k < stc_model_remarks(model); k++)
    must(stc_model_remark(model, k)[0] != '\0', "an empty remark");
  stc_model_free(&model);
  return 0;
}
