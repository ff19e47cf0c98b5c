package bench

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"path"
	"strings"

	"breadboard/grid"
	"breadboard/toys"
)

// file answers with the selector of the grid whose log f stands in the body of the request.
func (s *Server) file(w http.ResponseWriter, r *http.Request) error {
	values, err := query(r, []string{"name"})
	if err != nil {
		return err
	}
	limit := s.options.Limits.Body
	tooLarge := failf(http.StatusRequestEntityTooLarge, "", "the file has more than %d bytes, and a painted grid has at most %d cells; give a smaller one, or run the command in a terminal", limit, toys.MaxCells)
	if r.ContentLength > limit {
		return tooLarge
	}
	giveBack, err := s.held.take(int(limit))
	if err != nil {
		return err
	}
	defer giveBack()
	data, err := io.ReadAll(http.MaxBytesReader(w, r.Body, limit))
	if _, is := errors.AsType[*http.MaxBytesError](err); is {
		return tooLarge
	}
	if err != nil {
		return failf(http.StatusBadRequest, "", "the file did not come whole: %w", err)
	}
	space, g, err := parseFile(values.Get("name"), data)
	if err != nil {
		return bad("name", err)
	}
	toy, err := toys.Cells(space, g)
	if err != nil {
		return bad("name", err)
	}
	return s.writeJSON(w, object{{"toy", toy.Name}, {"rows", space.Side(0)}, {"columns", space.Side(1)}})
}

// parseFile reads a grid of log f by the ending of the file's name. An archive is refused, because it may hold much more than its size.
func parseFile(name string, data []byte) (*grid.Lattice, []float64, error) {
	switch ending := strings.ToLower(path.Ext(name)); ending {
	case ".csv", ".txt", ".npy":
		return toys.LogF().Parse(name, data)
	default:
		return nil, nil, fmt.Errorf("the name %q has none of the endings .csv, .txt and .npy, which say how the file is read; give the file another name", short(name))
	}
}
