package bench

import (
	"net/http"
	"sync"
)

// budget counts the bytes that the bench holds for clients: answers that are not read yet, and files that have not come whole. Clients that read
// slowly hold them for as long as they are waited for, so that many of them would take all memory.
type budget struct {
	mu   sync.Mutex
	held int64
	most int64
}

// take adds bytes, and returns the function that gives them back. It fails where there would be too many; a single answer may have any size.
func (b *budget) take(n int) (giveBack func(), err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.held > 0 && b.held+int64(n) > b.most {
		return nil, failf(http.StatusServiceUnavailable, "", "answers of %d MB are under way to clients that read them slowly, and there is no memory for more; ask again in a second", b.held>>20)
	}
	b.held += int64(n)
	return func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.held -= int64(n)
	}, nil
}

// write answers with bytes of a type.
func (s *Server) write(w http.ResponseWriter, kind string, content []byte) error {
	giveBack, err := s.held.take(cap(content))
	if err != nil {
		return err
	}
	defer giveBack()
	w.Header().Set("Content-Type", kind)
	_, _ = w.Write(content) // fails where the client has gone
	return nil
}
