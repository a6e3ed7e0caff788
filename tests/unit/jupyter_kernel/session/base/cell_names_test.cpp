#include "session/base/cell_names.hpp"

#include <gtest/gtest.h>

namespace xcpp_session {
namespace {

TEST(CellNames, FilesOfCells) {
    EXPECT_EQ(cell_file_name(12), "In[12]");
    EXPECT_EQ(cell_of_file_name("In[12]"), 12);
    for (const char* other : {"In[]", "In[x]", "vector", "", "In[3].h"})
        EXPECT_EQ(cell_of_file_name(other), 0) << other;
}

TEST(CellNames, NamespacesOfCells) {
    EXPECT_EQ(cell_namespace_name(12), "__c12");
    EXPECT_EQ(unit_of_namespace_name("__c12"), 12);
    // std::__cxx11 is an inline namespace, too.
    for (const char* other : {"__cxx11", "__c", "__c1x", "c1", ""})
        EXPECT_EQ(unit_of_namespace_name(other), 0) << other;
}

}  // namespace
}  // namespace xcpp_session
