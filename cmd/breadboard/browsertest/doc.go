// Package browsertest answers: do the pages of the program work in a browser? Its tests open them
// in tabs of a Chromium, press, paint and type as readers do, and compare what is shown with the
// library. The pages are those of breadboard serve and breadboard report, which run as processes of
// their own: the tests build the program once, and contain nothing of it.
//
// There is nothing here but tests, and nothing imports it.
package browsertest
