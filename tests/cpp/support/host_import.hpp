// Reading of types and arrays as the host's importer does, with every promise checked.
#pragma once

#include <memory>
#include <vector>

#include "support/fake_host.hpp"

namespace confmat::host {

// A schema of the host's own, with an address that stays.
class HostSchema {
 public:
  explicit HostSchema(const Type& type);
  [[nodiscard]] ArrowSchema* get() { return &schema_; }

 private:
  Type type_;
  ArrowSchema schema_{};
  std::vector<std::unique_ptr<HostSchema>> owners_;
  std::vector<ArrowSchema*> children_;
};

Type read_type(const ArrowSchema& schema);
Array read_array(const Type& type, const ArrowArray& array);

}  // namespace confmat::host
