-- wrk sends the requests of a file one after another; the file has the length, a newline and the bytes of each.
local requests, at = {}, 0

function init(args)
  local file = assert(io.open(args[1], 'rb'))
  for length in function() return file:read('*l') end do
    requests[#requests + 1] = file:read(tonumber(length))
  end
  file:close()
end

function request()
  at = at % #requests + 1
  return requests[at]
end
