// Descriptors of images and samplers of RDNA GPUs, as kernels read them: HIP's headers take eight words at the address
// of an object for the image, and four at word 12 for the sampler.
#pragma once

#include <string>

#include "array.h"

namespace rocport {

/** The memory that a texture or surface object is a pointer to. */
struct ImageWords {
  uint32_t image[8] = {};
  uint32_t channelType = 0;   // of HSA's images, for the functions of the device libraries
  uint32_t channelOrder = 0;
  uint32_t width = 0;
  uint32_t unused = 0;
  uint32_t sampler[4] = {};
};

/** Whether a GPU has image instructions that the device runs. */
bool hasImages(const std::string& arch);

/**
 * Builds the words of a texture; hipErrorInvalidValue if the parts do not fit together, hipErrorNotSupported for what
 * GPUs have and this library does not.
 *
 * @param view null for the whole resource in its own format
 */
ImageWords textureWords(const std::string& arch, const hipResourceDesc& resource, const hipTextureDesc& texture,
                        const hipResourceViewDesc* view);

/** Builds the words of a surface: an array without a sampler. */
ImageWords surfaceWords(const std::string& arch, const hipResourceDesc& resource);

}  // namespace rocport
