package bench

import (
	"context"
	"net"
	"testing"

	"breadboard/grid/longtest"
	"breadboard/reports"
)

// Listen has a server answer until the test ends, and returns the beginning of its addresses.
func Listen(t *testing.T, s *Server) string {
	t.Helper()
	ctx, end := context.WithCancel(context.Background())
	listener := longtest.Must(net.Listen("tcp", "127.0.0.1:0"))(t)
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(ctx, listener) }()
	t.Cleanup(func() {
		end()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	return "http://" + listener.Addr().String()
}

// computation makes the report of a study.
type computation = func(context.Context) (*reports.Report, error)

// instead has a server's study at a path compute something else than its own.
func instead(s *Server, path string, other func(own computation) computation) {
	study := s.routes[path].study
	plan := study.plan
	study.plan = func(s *Server, q *question) (*task, error) {
		a, err := plan(s, q)
		if err == nil {
			a.compute = other(a.compute)
		}
		return a, err
	}
}
