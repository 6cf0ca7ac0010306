# C functions of Python's strings, for Cython alone.

cdef extern from "Python.h":
    int PyUnicode_KIND(object)
    void *PyUnicode_DATA(object)
    Py_ssize_t PyUnicode_GET_LENGTH(object)
    unsigned int PyUnicode_READ(int, void *, Py_ssize_t) noexcept
    void PyUnicode_WRITE(int, void *, Py_ssize_t, unsigned int) noexcept
    Py_ssize_t PyUnicode_FindChar(object, unsigned int, Py_ssize_t, Py_ssize_t, int) except -2
    Py_ssize_t PyUnicode_Find(object, object, Py_ssize_t, Py_ssize_t, int) except -2
    object PyUnicode_Substring(object, Py_ssize_t, Py_ssize_t)
    object PyUnicode_FromKindAndData(int, const void *, Py_ssize_t)
    object PyUnicode_DecodeLatin1(const char *, Py_ssize_t, const char *)
    const char *PyUnicode_AsUTF8AndSize(object, Py_ssize_t *) except NULL
    object PyBytes_FromStringAndSize(const char *, Py_ssize_t)
    char *PyBytes_AS_STRING(object)
    Py_ssize_t PyBytes_GET_SIZE(object)
