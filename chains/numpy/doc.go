// Package numpy answers: how does an array of numbers stand in a file of NumPy's, .npy for one array and .npz for several
// by name? The same arrays are always written as the same bytes. It reads nothing that is not in the bytes that it is given:
// no object is ever unpickled, and an array is never larger than its file says and the caller allows.
package numpy
