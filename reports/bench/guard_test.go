package bench

import (
	"net"
	"net/http/httptest"
	"testing"
)

// TestUsualPort: browsers leave out port 80 of addresses, and no other one.
func TestUsualPort(t *testing.T) {
	for _, c := range []struct {
		port int
		host string
		want bool
	}{
		{80, "127.0.0.1", true}, {80, "localhost", true}, {80, "[::1]", true}, {80, "localhost:80", true}, {80, "evil.example", false}, {80, "", false},
		{8642, "localhost", false}, {8642, "localhost:80", false}, {8642, "localhost:8642", true},
	} {
		r := httptest.NewRequest("GET", "/", nil)
		r.Host = c.host
		r.Header.Set("Origin", "http://"+c.host)
		err := newGuard(&net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: c.port}, "").admit(httptest.NewRecorder(), r)
		if (err == nil) != c.want {
			t.Errorf("port %d, host %q: %v", c.port, c.host, err)
		}
	}
}
