// What helper_functions.h of the CUDA samples includes: the headers here with the names of those, and
// the same headers of the standard library. The comment at the top of each lists what it has.
#ifndef ROCPORT_HELPER_FUNCTIONS_H
#define ROCPORT_HELPER_FUNCTIONS_H

#ifndef __cplusplus
#error "rocport/helper_functions.h needs C++"
#endif

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <algorithm>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

#include "exception.h"
#include "helper_image.h"
#include "helper_string.h"
#include "helper_timer.h"

#endif
