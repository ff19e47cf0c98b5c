package bench

import "net/http"

// route is what is at a path.
type route struct {
	method string
	handle func(http.ResponseWriter, *http.Request) error
	study  *studyRoute // what is computed there, where that is a study of an annealing
}

// takes reports whether the route answers a method. Whoever asks for the header alone gets that of the answer.
func (r route) takes(method string) bool {
	return method == r.method || method == http.MethodHead && r.method == http.MethodGet
}

// allRoutes returns what is at each path.
func (s *Server) allRoutes() map[string]route {
	get := func(handle func(http.ResponseWriter, *http.Request) error) route {
		return route{method: http.MethodGet, handle: handle}
	}
	all := map[string]route{
		"/":             get(s.page),
		"/api/catalog":  get(s.catalog),
		"/api/target":   get(s.target),
		"/api/frames":   get(s.frames),
		"/api/follow":   get(s.follow),
		"/api/chains":   get(s.chains),
		"/api/optimize": get(s.optimize),
		"/api/file":     {method: http.MethodPost, handle: s.file},
	}
	for _, study := range studies() {
		all["/api/"+study.name] = route{method: http.MethodGet, study: &study, handle: func(w http.ResponseWriter, r *http.Request) error { return s.study(w, r, &study) }}
	}
	return all
}
