// The loops for any processor of this architecture.
#define CONFMAT_ISA base
#include "body.inl.hpp"
