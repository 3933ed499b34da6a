// A comment is fine.
  not a kernel
