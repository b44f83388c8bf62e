/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* Loads the library that its argument names, as a JVM does, and asks it for its wire version. */
#include <dlfcn.h>
#include <stdio.h>

typedef int version_function(void *env, void *type);

int main(int argc, char **argv) {
  void *library = argc == 2 ? dlopen(argv[1], RTLD_NOW) : NULL;
  void *symbol = library == NULL
                     ? NULL
                     : dlsym(library, "Java_org_luceneoffload_sim_NativeLoader_nativeWireVersion");
  if (symbol == NULL) {
    fprintf(stderr, "load_library: %s\n", argc == 2 ? dlerror() : "name one library");
    return 1;
  }
  version_function *version;
  *(void **)&version = symbol;
  printf("loaded: wire version %d\n", version(NULL, NULL));
  return 0;
}
