package bench

import (
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"path"
	"strings"

	"breadboard/grid"
	"breadboard/toys"
)

// file answers with the selector of the grid whose log f stands in the body of the request. Where the numbers look like probabilities it says so, and has the
// selector of the grid of which they are the probabilities.
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
	answer := object{{"toy", toy.Name}, {"rows", space.Side(0)}, {"columns", space.Side(1)}}
	if toys.LikeProbabilities(g) {
		for x, p := range g {
			g[x] = math.Log(p)
		}
		other, err := toys.Cells(space, g)
		if err != nil {
			return bad("name", err)
		}
		answer = append(answer, member{"note", "the numbers are from 0 to 1 and sum to 1, as probabilities do, and are taken as log f"}, member{"as_probabilities", other.Name})
	}
	return s.writeJSON(w, answer)
}

// parseFile reads a grid of log f by the ending of the file's name. States on a line are a plane of one row here, since cells are drawn in a
// plane. An archive is refused, because it may hold much more than its size.
func parseFile(name string, data []byte) (*grid.Lattice, []float64, error) {
	switch ending := strings.ToLower(path.Ext(name)); ending {
	case ".csv", ".txt", ".npy":
		space, g, err := toys.LogF().Parse(name, data)
		if err == nil && space.Dims() == 1 {
			space, err = grid.New(1, space.States())
		}
		return space, g, err
	default:
		return nil, nil, fmt.Errorf("the name %q has none of the endings .csv, .txt and .npy, which say how the file is read; give the file another name", short(name))
	}
}
