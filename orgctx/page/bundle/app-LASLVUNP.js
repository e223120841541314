import{b as G}from"./chunk-OOJM4CTU.js";var w,Qt,ro,Z,et,Ne,en,Me,tn,nt,tt,so,ye=Symbol.for("pv"),Pe={},Re=[],ao=/^m(i|n|o|s|text|space)$/,ot=Array.isArray,rt=Re.slice,ae=Object.assign;function se(e){e&&e.parentNode&&e.remove()}function nn(e,t,n){var o,s,r,c={},i=arguments.length;for(r in t)r=="key"?o=t[r]:r=="ref"&&typeof e!="function"?s=t[r]:c[r]=t[r];return i>2&&(c.children=i>3?rt.call(arguments,2):n),ge(e,c,o,s,null)}function ge(e,t,n,o,s){var r={type:e,props:t,key:n,ref:o,__k:null,__:null,__b:0,__e:null,__c:null,constructor:ye,__v:s||++Qt,__i:-1,__u:0};return!s&&w.vnode&&w.vnode(r),r}function Ie(e){return e.children}function ie(e,t){this.props=e,this.context=t,this.__g=0}function Y(e,t){if(t==null)return e.__&&Y(e.__,e.__i+1);for(var n;t<e.__k.length;t++)if((n=e.__k[t])&&n.__e)return n.__e;return typeof e.type!="function"||e.props.__P?null:Y(e)}function io(e){var t,n=e.__v,o=n.__e,s=[],r=[],c=e.__P;c&&((t=ae({constructor:ye},n)).__v=n.__v+1,w.vnode&&w.vnode(t),st(c,t,n,e.__n,c.namespaceURI,32&n.__u?[o]:null,s,o||Y(n),32&n.__u,r),t.__v=n.__v,t.__.__k[t.__i]=t,ln(s,t,r),n.__=n.__e=null,t.__e!=o&&on(t))}function on(e){if((e=e.__)&&e.__c&&!e.props.__P)return e.__e=null,e.__k.some(function(t){return t&&(e.__e=t.__e)}),on(e)}function Zt(e){(8&e.__g||(e.__g|=8,Z.push(e),Ne++))&&et==w.debounceRendering||((et=w.debounceRendering)||queueMicrotask)(rn)}function rn(){try{for(var e,t=1;Z.length;)Z.length>t&&Z.sort(en),e=Z.shift(),t=Z.length,8&e.__g&&io(e)}finally{(Ne=Z.length)&&(et||queueMicrotask)(rn)}}function sn(e,t,n,o,s,r,c,i,p,d,l){var m,f,u,h,k,g,$=o.__k||Re,y=t.length;for(p=co(n,t,$,p,y),m=0;m<y;m++)(u=n.__k[m])!=null&&(f=~u.__i&&$[u.__i]||Pe,u.__i=m,g=st(e,u,f,s,r,c,i,p,d,l),h=u.__e,(f.ref!=u.ref||8&f.__u)&&(f.ref&&at(f.ref,null,u,f),u.ref&&l.push(u.ref,u.__c||h,u)),k=k||h,4&u.__u?(p=an(u,p,e,!f.__v),f.__e&&(f.__e=null)):typeof u.type=="function"&&g!==void 0?p=g:h&&(p=h.nextSibling),u.__u&=-21);return n.__e=k,p}function co(e,t,n,o,s){var r,c,i,p,d,l,m,f,u,h=n.length,k=h,g=0,$=0,y=e.__k=Array(s);for(r=0;r<s;r++)(c=t[r])!=null&&typeof c!="boolean"&&typeof c!="function"?(typeof c!="object"||c.constructor===String?c=y[r]=ge(null,c):ot(c)?c=y[r]=ge(Ie,{children:c}):c.constructor===ye&&c.__b?c=y[r]=ge(c.type,c.props,c.key,c.ref,c.__v):y[r]=c,p=r+g,c.__=e,c.__b=e.__b+1,i=null,~(d=c.__i=lo(c,n,p,k))&&(k--,(i=n[d])&&(i.__u|=2)),i&&i.__v?(c.__u|=16,d==p-1?g--:d==p+1?g++:d!=p&&(d>p?g--:g++,$=1)):(~d||(s>h?g--:s<h&&g++),typeof c.type!="function"&&(c.__u|=4))):y[r]=null;if($){for(l=[],m=[],r=0;r<s;r++)if((c=y[r])&&16&c.__u){for(g=0,f=l.length;g<f;)l[u=g+f>>1]<c.__i?g=u+1:f=u;l[g]=c.__i,m[r]=g+1}for(g=l.length;r--;)m[r]&&(m[r]==g?g--:y[r].__u|=4)}if(k)for(r=0;r<h;r++)!(i=n[r])||2&i.__u||(i.__e==o&&(o=Y(i)),it(i,i));return o}function an(e,t,n,o){var s,r,c,i;if(typeof e.type=="function"){if(e.props.__P)return t;if(s=e.__k)for(r=0;r<s.length;r++)s[r]&&(s[r].__=e,t=an(s[r],t,n,!1));return t}for(t&&!t.parentNode&&(t=Y(e))&&!t.parentNode&&(t=null),c=e.__e,i=t;i&&i.nodeType==8;)i=i.nextSibling;for(c!=i&&(!o&&n.moveBefore&&c.parentNode?n.moveBefore(c,t):n.insertBefore(c,t||null)),t=c;(t=t&&t.nextSibling)&&t.nodeType==8&&!t.data.startsWith("$s"););return t}function lo(e,t,n,o){var s,r=e.key,c=e.type,i=t[n],p=i&&!(2&i.__u);if(i===null&&r==null||p&&r==i.key&&c==i.type)return n;if(o>(p?1:0)){for(s=n-1;s>=0;s--)if((i=t[s])&&!(2&i.__u)&&r==i.key&&c==i.type)return s;for(s=n+1;s<t.length;s++)if((i=t[s])&&!(2&i.__u)&&r==i.key&&c==i.type)return s}return-1}function Yt(e,t,n){n==null&&(n=""),t[0]=="-"?e.setProperty(t,n):e[t]=n}function Ae(e,t,n,o,s){var r,c;if(t=="style")if(typeof n=="string")e.style.cssText=n;else{if(typeof o=="string"&&(e.style.cssText=o=""),o)for(t in o)n&&t in n||Yt(e.style,t);if(n)for(t in n)o&&n[t]==o[t]||Yt(e.style,t,n[t])}else if(t[0]=="o"&&t[1]=="n")typeof n!="function"&&(n=null),typeof o!="function"&&(o=null),(e.__e||(e.__e={}))[t]=n,n&&o||(c=tt[t]||(tt[t]=uo(t)),(e.__a||(e.__a={}))[t]=nt,r=t!=(t=t.replace(tn,"$1")),(t=t.slice(2))[0]<"a"&&(t=t.toLowerCase()),n?e.addEventListener(t,c,r):e.removeEventListener(t,c,r));else{if(s=="http://www.w3.org/2000/svg")t=t.replace(/xlink(H|:h)/,"h").replace(/sName$/,"s");else if(t!="width"&&t!="height"&&t!="href"&&t!="list"&&t!="form"&&t!="tabIndex"&&t!="download"&&t!="rowSpan"&&t!="colSpan"&&t!="role"&&t!="popover"&&t in e)try{return void(e[t]=n??"")}catch{}if(typeof n=="function")return;n==null||n===!1&&t[4]!="-"?e.removeAttribute(t):e.setAttribute(t,t=="popover"&&n==1?"":n)}}function uo(e){return function(t){var n=this.__e;if(n){if(n=n[e],t[Me]==null)t[Me]=nt++;else if(t[Me]<this.__a[e])return;return n(w.event?w.event(t):t)}}}function st(e,t,n,o,s,r,c,i,p,d){var l,m,f,u,h,k,g,$,y,E,C,Qe,Xt,qe,oe,Gt,X,re,K=t.type;if(t.constructor!==ye)return null;128&n.__u&&(p=32&n.__u,l=n.__c.__z)&&(t.__u|=p,m=r=[],l.nodeType==8?i=Ee(l,r):r.push(l),i=r[0]||i),(l=w.__b)&&l(t);e:if(typeof K=="function"){f=c.length;try{if($=t.props,y=(l=K.prototype)&&l.render,E=(l=K.contextType)&&o[l.__c],C=l?E?E.props.value:l.__:o,(u=n.__c)?(t.__c=u,2&u.__g&&(u.__g|=1)):(y?t.__c=u=new K($,C):(t.__c=u=new ie($,C),u.constructor=K,u.render=fo),E&&E.sub(u),u.state||(u.state={}),u.__n=o,u.__g|=8,u.__h=[],u.__k=[]),y&&(u.__s||(u.__s=u.state),K.getDerivedStateFromProps&&(u.__s==u.state&&(u.__s=ae({},u.__s)),ae(u.__s,K.getDerivedStateFromProps($,u.__s)))),h=u.props,k=u.state,u.__v=t,n.__c){if($!==h&&y&&!K.getDerivedStateFromProps&&u.componentWillReceiveProps&&u.componentWillReceiveProps($,C),t.__v==n.__v&&!(8&u.__g)||!(4&u.__g)&&u.shouldComponentUpdate&&u.shouldComponentUpdate($,u.__s,C)===!1){t.__v!=n.__v&&(u.props=$,u.state=u.__s,u.__g&=-9),t.__e=n.__e,t.__k=n.__k,t.__k.some(function(B){B&&(B.__=t)}),Re.push.apply(u.__h,u.__k),u.__k=[],u.__h.length&&c.push(u),i=Y(n);break e}u.componentWillUpdate&&u.componentWillUpdate($,u.__s,C),y&&u.componentDidUpdate&&u.__h.push(function(){u.componentDidUpdate(h,k,g)})}else y&&!K.getDerivedStateFromProps&&u.componentWillMount&&u.componentWillMount(),y&&u.componentDidMount&&u.__h.push(u.componentDidMount);u.context=C,u.props=$,u.__P=e,u.__g&=-5,Qe=w.__r,Xt=y?25:0;do u.__g&=-9,Qe&&Qe(t),l=u.render(u.props,u.state=u.__s,u.context);while(8&u.__g&&++Xt<25);y&&(Re.push.apply(u.__h,u.__k),u.__k=[]),u.state=u.__s,u.getChildContext&&(o=ae({},o,u.getChildContext())),y&&n.__c&&u.getSnapshotBeforeUpdate&&(g=u.getSnapshotBeforeUpdate(h,k)),qe=l&&l.type===Ie&&l.key==null?l.props.children:l,$.__P&&(l=i,s=(e=$.__P).namespaceURI,p=r=null,n.props&&n.props.__P!=e&&(n.__k.some(function(B){B&&it(B,B)}),n.__k=null),i=n.__k?Y(n,0):null),i=sn(e,ot(qe)?qe:[qe],t,n,o,s,r,c,i,p,d),$.__P&&(t.__e=null,i=l),t.__u&=-161,m&&m.some(se),u.__h.length&&c.push(u),1&u.__g&&(u.__g&=-4)}catch(B){if(c.length=f,t.__v=null,p||r)if(B&&B.then){if(t.__u|=128|p,r){for(~(X=r.indexOf(i||void 0))||(X=r.length);(re=r[X-1])&&re.nodeType==8;)X--;for(;X<r.length;X++)if(re=r[X])if(r[X]=null,oe){if(re==Gt)break}else{if(re.nodeType!=8)break;re.data.startsWith("$s")&&(Gt=Ee(oe=re))}}if(!oe){for(;i&&i.nodeType==8&&i.nextSibling;)i=i.nextSibling;oe=i}(l=Ee(oe=t.__c.__z||(t.__c.__z=oe)))?(t.__e=oe,i=l):t.__e=i,i=i&&i.nextSibling}else r&&r.some(se);else t.__e=n.__e;t.__k||(t.__k=n.__k||[]),B&&B.then||cn(t),w.__e(B,t,n)}}else i=t.__e=po(n.__e,t,n,o,s,r,c,p,d,e);return(l=w.diffed)&&l(t),i}function Ee(e,t){if(e&&e.nodeType==8&&e.data.startsWith("$s"))for(var n=1;e=e.nextSibling;){if(e.nodeType==8){if(e.data.startsWith("$s"))n++;else if(e.data.startsWith("/$s")&&!--n)return e}t&&t.push(e)}}function cn(e){e&&(e.__c&&(e.__c.__g|=4),e.__k&&e.__k.some(cn))}function ln(e,t,n){for(var o=0;o<n.length;)at(n[o++],n[o++],n[o++]);w.__c&&w.__c(t,e),e.some(function(s){try{e=s.__h,s.__h=[],e.some(function(r){r.call(s)})}catch(r){w.__e(r,s.__v)}})}function po(e,t,n,o,s,r,c,i,p,d){var l,m,f,u,h,k,g,$,y=n.props||Pe,E=t.props,C=t.type;if(C=="svg"?s="http://www.w3.org/2000/svg":C=="math"?s="http://www.w3.org/1998/Math/MathML":s||(s="http://www.w3.org/1999/xhtml"),r){for(l=0;l<r.length;l++)if((h=r[l])&&(C?h.localName==C:h.nodeType==3)){e=h,r[l]=null;break}}if(!e){if($=d.ownerDocument||document,!C)return $.createTextNode(E);e=$.createElementNS(s,C,E.is?E:d),i&&(w.__m&&w.__m(t,r),i=!1),r=null}if(C){if(d=C=="template"&&e.content||e,r=C=="textarea"&&E.defaultValue!=null?null:r&&rt.call(d.childNodes),!i&&r)for(y={},l=0;l<e.attributes.length;l++)y[(h=e.attributes[l]).name]=h.value;for(l in y)h=y[l],l=="dangerouslySetInnerHTML"?f=h:l=="children"||l in E||l=="value"&&"defaultValue"in E||l=="checked"&&"defaultChecked"in E||Ae(e,l,null,h,s);for(l in E)h=E[l],l=="children"?u=h:l=="dangerouslySetInnerHTML"?m=h:l=="value"?k=h:l=="checked"?g=h:i&&typeof h!="function"||y[l]===h||Ae(e,l,h,y[l],s);m?(i||f&&(m.__html==f.__html||m.__html==e.innerHTML)||(e.innerHTML=m.__html),t.__k=[]):(f&&(e.textContent=""),(C=="foreignObject"||s=="http://www.w3.org/1998/Math/MathML"&&ao.test(C))&&(s="http://www.w3.org/1999/xhtml"),sn(d,ot(u)?u:[u],t,n,o,s,r,c,r?r[0]:n.__k&&Y(n,0),i,p),r&&r.some(se)),i&&C!="textarea"||(l="value",C=="progress"&&k==null?e.removeAttribute(l):k==null||k===e[l]&&(C!="progress"||k)||Ae(e,l,k,y[l],s),l="checked",g!=null&&g!=e[l]&&Ae(e,l,g,y[l],s))}else y===E||i&&e.data==E||(e.data=E);return e}function at(e,t,n,o){try{typeof e=="function"?t?t.__x=e(t)||1:o&&(o=o.__c||o.__e)&&(t=o.__x)&&(o.__x=null,typeof t=="function"?t():e(null)):e.current=t}catch(s){w.__e(s,n)}}function it(e,t,n){var o,s,r,c;if(w.unmount&&w.unmount(e),!(o=e.ref)||o.current&&o.current!=e.__e||at(o,null,t,e),o=e.__c){if(o.componentWillUnmount)try{o.componentWillUnmount()}catch(i){w.__e(i,t)}o.__P=o.__n=null}if(o=e.__k)for(c=0;c<o.length;c++)o[c]&&it(o[c],t,typeof e.type!="function"||n&&!e.props.__P);!n&&(o=e.__c)&&(o=o.__z)&&(s=Ee(o,r=[]))&&(o==e.__e&&r.some(se),se(s),se(o)),n||se(e.__e),e.__e=e.__c=e.__=null}function fo(e,t,n){return this.constructor(e,n)}function ct(e,t){var n,o,s,r;w.__&&w.__(e,t),t.nodeType==9&&(t=t.documentElement),o=(n=e&&32&e.__u)?null:t.__k,t.__k=ge(Ie,{children:[e]}),s=[],r=[],st(t,t.__k,o||Pe,Pe,t.namespaceURI,o?null:t.firstChild?rt.call(t.childNodes):null,s,o?o.__e:t.firstChild,n,r),ln(s,t.__k,r),t.__k.props.children=null}w={__e:function(e,t,n,o){for(var s,r,c;t=t.__;)if((s=t.__c)&&!(1&s.__g)){s.__g|=4;try{if((c=(r=s.constructor)&&r.getDerivedStateFromError)&&s.setState(r.getDerivedStateFromError(e)),s.componentDidCatch&&(s.componentDidCatch(e,o||{}),c=1),c&&8&s.__g)return void(s.__g|=2)}catch(i){e=i}}throw Ne=0,e}},Qt=0,ro=function(e){return e!=null&&e.constructor===ye},ie.prototype.setState=function(e,t){var n=this.__s;n&&n!=this.state||(n=this.__s=ae({},this.state)),typeof e=="function"&&(e=e(ae({},n),this.props)),e&&(ae(n,e),this.__v&&(t&&this.__k.push(t),Zt(this)))},ie.prototype.forceUpdate=function(e){this.__v&&(this.__g|=4,e&&this.__h.push(e),Zt(this))},ie.prototype.render=Ie,Z=[],Ne=0,en=function(e,t){return e.__v.__b-t.__v.__b},Me=Symbol(),tn=/(PointerCapture)$|Capture$/i,nt=0,tt={},so=0;var pn=function(e,t,n,o){var s;t[0]=0;for(var r=1;r<t.length;r++){var c=t[r++],i=t[r]?(t[0]|=c?1:2,n[t[r++]]):t[++r];c===3?o[0]=i:c===4?o[1]=Object.assign(o[1]||{},i):c===5?(o[1]=o[1]||{})[t[++r]]=i:c===6?o[1][t[++r]]+=i+"":c?(s=e.apply(i,pn(e,i,n,["",null])),o.push(s),i[0]?t[0]|=2:(t[r-2]=0,t[r]=s)):o.push(i)}return o},un=new Map;function dn(e){var t=un.get(this);return t||(t=new Map,un.set(this,t)),(t=pn(this,t.get(e)||(t.set(e,t=(function(n){for(var o,s,r=1,c="",i="",p=[0],d=function(f){r===1&&(f||(c=c.replace(/^\s*\n\s*|\s*\n\s*$/g,"")))?p.push(0,f,c):r===3&&(f||c)?(p.push(3,f,c),r=2):r===2&&c==="..."&&f?p.push(4,f,0):r===2&&c&&!f?p.push(5,0,!0,c):r>=5&&((c||!f&&r===5)&&(p.push(r,0,c,s),r=6),f&&(p.push(r,f,0,s),r=6)),c=""},l=0;l<n.length;l++){l&&(r===1&&d(),d(l));for(var m=0;m<n[l].length;m++)o=n[l][m],r===1?o==="<"?(d(),p=[p],r=3):c+=o:r===4?c==="--"&&o===">"?(r=1,c=""):c=o+c[0]:i?o===i?i="":c+=o:o==='"'||o==="'"?i=o:o===">"?(d(),r=1):r&&(o==="="?(r=5,s=c,c=""):o==="/"&&(r<5||n[l][m+1]===">")?(d(),r===3&&(p=p[0]),r=p,(p=p[0]).push(2,0,r),r=0):o===" "||o==="	"||o===`
`||o==="\r"?(d(),r=2):c+=o),r===3&&c==="!--"&&(r=4,p=p[0])}return d(),p})(e)),t),arguments,[])).length>1?t:t[0]}var pe,N,lt,fn,ut=Object.is,be=0,wn=[],pt=[],A=w,mn=A.__b,$n=A.__r,hn=A.diffed,_n=A.__c,gn=A.unmount,yn=A.__;function Le(e,t){A.__h&&A.__h(N,e,be||t),be=0;var n=N.__H||(N.__H={__:[],__h:[]});return e>=n.__.length&&n.__.push({}),n.__[e]}function v(e){return be=1,mo(xn,e)}function mo(e,t,n){var o=Le(pe++,2);if(o.t=e,!o.__c&&(o.__=[n?n(t):xn(void 0,t),function(r){var c=(o.__N||o.__)[0],i=o.t(c,r);ut(c,i)||(o.__N=[i,o.__[1]],o.__c.setState({}))}],o.__c=N,!N.__f)){N.__f=!0;var s=N.shouldComponentUpdate;N.shouldComponentUpdate=function(r,c,i){var p=this.__H;if(!p)return!0;var d=!1,l=this.props!=r;if(p.__.some(function(f){f.__N&&(d=!0,ut(f.__[0],f.__N[0])||(l=!0))}),s){var m=s.call(this,r,c,i);return d?m||l:m}return!d||l}}return o.__}function T(e,t){var n=Le(pe++,3);!A.__s&&ft(n.__H,t)&&(n.__P=!0,n.__=e,n.u=t,N.__H.__h.push(n))}function we(e,t){var n=Le(pe++,4);!A.__s&&ft(n.__H,t)&&(n.__P=!1,n.__=e,n.u=t,N.__h.push(n))}function O(e){return be=5,xe(function(){return{current:e}},[])}function xe(e,t){var n=Le(pe++,7);return ft(n.__H,t)&&(n.__=e(),n.__H=t),n.__}function De(e,t){return be=8,xe(function(){return e},t)}function $o(){var e;do{for(;e=pt.shift();)try{ve(e)}catch(n){A.__e(n,{__:(e=e.__P)&&e.__v})}for(;e=wn.shift();){var t=e.__H;if(e.__P&&t)try{t.__h.some(ve),t.__h.some(dt),t.__h=[]}catch(n){t.__h=[],A.__e(n,e.__v)}}}while(pt.length)}A.__b=function(e){N=null,mn&&mn(e)},A.__=function(e,t){e&&t.__k&&t.__k.__m&&(e.__m=t.__k.__m),yn&&yn(e,t)},A.__r=function(e){$n&&$n(e),pe=0;var t=(N=e.__c).__H;t&&(lt==N?N.__h=[]:(t.__h.some(ve),t.__h.some(dt),pe=0),t.__h=[],t.__.some(function(n){n.__N&&(n.__=n.__N),n.u=n.__N=void 0})),lt=N},A.diffed=function(e){hn&&hn(e);var t=e.__c;t&&t.__H&&(t.__H.__h.length&&bn(wn.push(t)),t.__H.__.some(function(n){n.u&&(n.__H=n.u)})),lt=N=null},A.__c=function(e,t){t.some(function(n){try{n.__h.some(ve),n.__h=n.__h.filter(function(o){return!o.__||dt(o)})}catch(o){n.__h=[function(){throw o}]}}),_n&&_n(e,t)},A.unmount=function(e){gn&&gn(e);var t,n,o=e.__c;o&&o.__H&&(o.__H.__.some(function(s){try{if(s.__P&&s.__c){if(n===void 0){for(n=e.__;n&&(!n.__c||!n.__c.__P);)n=n.__;n=n&&n.__c}s.__P=n,bn(pt.push(s))}else ve(s)}catch(r){t=r}}),o.__H=void 0,t&&A.__e(t,o.__v))};var vn=typeof requestAnimationFrame=="function";function ho(e){var t,n=function(){clearTimeout(o),vn&&cancelAnimationFrame(t),setTimeout(e)},o=setTimeout(n,35);vn&&(t=requestAnimationFrame(n))}function bn(e){e!=1&&fn==A.requestAnimationFrame||((fn=A.requestAnimationFrame)||ho)($o)}function ve(e){var t=N,n=e.__c;typeof n=="function"&&(e.__c=void 0,n()),N=t}function dt(e){var t=N;e.__c=e.__(),N=t}function ft(e,t){return!e||e.length!=t.length||t.some(function(n,o){return!ut(n,e[o])})}function xn(e,t){return typeof t=="function"?t(e):t}var a=dn.bind(nn);var z=class{#e=new Set;constructor(t){this.value=t}set(t){this.value=t;for(let n of[...this.#e])n(t)}watch(t){return this.#e.add(t),()=>this.#e.delete(t)}};function b(e){let[t,n]=v(e.value);return T(()=>(n(e.value),e.watch(n)),[e]),t}var mt=document.querySelector('meta[name="orgctx-key"]'),H=mt&&{name:mt.content,...mt.dataset};var L=new z($t(location.hash));addEventListener("hashchange",()=>L.set($t(location.hash)));function _(e,t="",n=[],o={}){let s=[e,t,...n].filter(Boolean).map(encodeURIComponent).join("/"),r=Object.entries(o).filter(([,i])=>i!=null&&i!==""),c=new URLSearchParams(r).toString();return`#/${s}${c&&`?${c}`}`}function M(e){let{area:t,view:n,values:o,query:s}=L.value;history.replaceState(null,"",_(t,n,o,{...s,...e})),L.set($t(location.hash))}function $t(e){let[t,n=""]=e.replace(/^#\/?/,"").split("?"),[o="",s="",...r]=t.split("/").map(ht);return{area:o||(H?"explore":"start"),view:s,values:r,query:Object.fromEntries(new URLSearchParams(n))}}function ht(e){try{return decodeURIComponent(e)}catch{return e}}var _t=await fetch(document.querySelector("link[rel=preload][as=fetch]").href);if(!_t.ok)throw new Error(`service.json: ${_t.status}`);var x=await _t.json();x.baseUrl||=location.origin;for(let e of x.clients)e.configuration=e.configuration.replaceAll(x.exampleUrl,x.baseUrl);var _o=new Map(x.operations.map(e=>[e.name,e])),go=x.operations.map(e=>[new RegExp(`^/api/v1${e.path.replace(/\{\w+\}/g,"([^/]+)")}$`),e]);function ke(e){return _o.get(e)}function kn(e,t){let n=e.path,o=new URLSearchParams;for(let[r,{path:c}]of Object.entries(e.arguments)){let i=t[r];c?n=n.replace(`{${c}}`,encodeURIComponent(i)):Cn(i)||o.set(r,i)}let s=o.toString();return`/api/v1${n}${s&&`?${s}`}`}function Sn(e,t){let n=Object.entries(e.arguments).filter(([o])=>!Cn(t[o]));return Object.fromEntries(n.map(([o,{type:s}])=>[o,yo(t[o],s)]))}function Fe(e){if(!e?.startsWith("/api/v1/"))return null;let[t,n=""]=e.split("?");for(let[o,s]of go){let r=o.exec(t);if(r)return{operation:s,values:r.slice(1).map(ht),query:new URLSearchParams(n)}}return null}function Cn(e){return e==null||e===""}function yo(e,t){return t==="integer"?Number(e):t==="boolean"?e===!0||e==="true":String(e)}var vo=60,bo=12,wo=H?"manual":"follow",fe=null,ce=new Map,V=new z(H!==null),je=new z(null),Ue=new z(H?.scopes.split(" ")??null),de=new z(0),le=new z([]);function Tn(e){Se(),fe=e,V.set(!0),Q("get_context").catch(()=>{})}function Se(){fe=null,ce.clear(),je.set(null),Ue.set(null),le.set([]),V.set(!1)}var gt=class extends Error{constructor(t){super(t.body?.error?.message??""),this.exchange=t,this.status=t.status}};async function Q(e,t={},n=void 0){let o=ke(e),s=kn(o,t),r=ce.get(s),c=fe,i=performance.now(),p={operation:o,args:t,path:s,status:0,milliseconds:0,body:null,etag:null},d;de.set(de.value+1);try{d=await fetch(s.slice(1),{headers:xo(r),cache:"no-store",redirect:wo,signal:n}),d.type==="opaqueredirect"&&location.reload(),p.status=d.status,p.body=d.status===304?r.body:await d.json()}catch(l){if(l.name==="AbortError")throw l}finally{de.set(de.value-1)}if(fe!==c)throw new DOMException("The key has changed.","AbortError");if(p.milliseconds=Math.round(performance.now()-i),d&&ko(p,d),le.set([p,...le.value].slice(0,bo)),p.status!==200&&p.status!==304)throw new gt(p);return p.body.data.grantedScopes&&Ue.set(p.body.data.grantedScopes),So(s,p),p}function xo(e){return{Accept:"application/json",...fe&&{Authorization:`Bearer ${fe}`},...e&&{"If-None-Match":e.etag}}}function ko(e,{headers:t}){let n=o=>t.has(o)?Number(t.get(o)):void 0;e.etag=t.get("ETag"),e.requestId=t.get("X-Request-Id"),t.has("RateLimit-Limit")&&(e.quota={limit:n("RateLimit-Limit"),remaining:n("RateLimit-Remaining"),resetAt:Date.now()+1e3*n("RateLimit-Reset")},je.set(e.quota))}function So(e,{etag:t,body:n}){ce.delete(e),ce.set(e,{etag:t,body:n}),ce.size>vo&&ce.delete(ce.keys().next().value)}var He={body:null,error:null,isLoading:!1};function R(e,t){let[n,o]=v({...He,isLoading:t!==null}),[s,r]=v(0),c=b(V),i=t&&JSON.stringify(t);T(()=>{if(i===null||!c)return o(He);let d=new AbortController;return o(l=>({...l,error:null,isLoading:!0})),Q(e,JSON.parse(i),d.signal).then(({body:l})=>o({...He,body:l}),l=>l.name!=="AbortError"&&o({...He,error:l})),()=>d.abort()},[e,i,s,c]);let p=De(()=>r(d=>d+1),[]);return{...n,retry:p}}function me(e,t,n){let[o,s]=v({bodies:[],error:null,isLoading:!0,nextArgs:null}),r=O(null),c=JSON.stringify(t),i=De(({signal:d},l,m)=>{s({bodies:m,error:null,isLoading:!0,nextArgs:l}),Q(e,l,d).then(({body:f})=>s({bodies:[...m,f],error:null,isLoading:!1,nextArgs:n(f,l)}),f=>f.name!=="AbortError"&&s({bodies:m,error:f,isLoading:!1,nextArgs:l}))},[e]);T(()=>(r.current=new AbortController,i(r.current,JSON.parse(c),[]),()=>r.current.abort()),[i,c]);let p=()=>{!o.isLoading&&o.nextArgs&&i(r.current,o.nextArgs,o.bodies)};return{...o,hasMore:o.nextArgs!==null,more:p}}function ee(e,t=250){let[n,o]=v(e);return T(()=>{let s=setTimeout(()=>o(e),t);return()=>clearTimeout(s)},[e,t]),n}function Be(e){let[t,n]=v({module:null});if(T(()=>{e().then(o=>n({module:o}),o=>n({error:o}))},[]),t.error)throw t.error;return t.module}function On(e,t){let n=O(null),o=O(e);return o.current=e,T(()=>{if(!t||!n.current)return;let s=new IntersectionObserver(r=>r.some(c=>c.isIntersecting)&&o.current(),{rootMargin:"400px"});return s.observe(n.current),()=>s.disconnect()}),n}function qn(e){T(()=>()=>le.set([]),[e])}var Co=/^octx_[0-9A-Za-z]{40}$/,To="This is not an API key. Paste the whole key: octx_ and 40 letters and digits.";function $e({onDone:e,action:t="Explore"}){let n=O(null),[o,s]=v("");return a`<form class="key" onSubmit=${c=>{c.preventDefault();let i=n.current.value.trim();return n.current.value="",Co.test(i)?(s(""),Tn(i),e?.()):s(To)}} autocomplete="off">
    <label>API key
      <input ref=${n} type="password" autocomplete="off" autocapitalize="off" spellcheck="false" required
        placeholder="octx_…" aria-describedby="key-note" aria-invalid=${o?"true":"false"} />
    </label>
    <button type="submit" class="primary">${t}</button>
    <p id="key-note" class="quiet">${o?a`<span class="error" role="alert">${o}</span>`:"The key stays in the memory of this page until you reload it."}</p>
  </form>`}var Oo=new Intl.DateTimeFormat(void 0,{dateStyle:"medium"}),qo=new Intl.DateTimeFormat(void 0,{dateStyle:"medium",timeStyle:"short"}),Ao=new Intl.DateTimeFormat(void 0,{timeStyle:"short"}),Mo=new Intl.RelativeTimeFormat(void 0,{numeric:"auto"}),Eo=new Intl.NumberFormat(void 0,{notation:"compact",maximumFractionDigits:1}),No=new Intl.NumberFormat(void 0,{maximumFractionDigits:6}),Po=new Intl.NumberFormat(void 0,{maximumSignificantDigits:3}),Ro=[["year",31557600],["month",2629800],["week",604800],["day",86400],["hour",3600],["minute",60],["second",1]],he=e=>t=>t==null?"unknown":e(t),W=he(e=>Oo.format(new Date(e))),J=he(e=>qo.format(new Date(e))),yt=he(e=>Ao.format(new Date(e))),vt=he(e=>Eo.format(e)),j=he(e=>(e&&Math.abs(e)<.001?Po:No).format(e)),ze=e=>e?vt(e):"unknown",bt=e=>Math.max(0,(Date.now()-new Date(e))/1e3);function An(e){let[t,n]=Rn(bt(e));return Mo.format(-n,t)}function Mn(e){let[t,n]=Rn(e*1.001);return`${n} ${t}${n===1?"":"s"}`}var Ce=he(e=>{let t=e<1e3?0:Math.min(4,Math.floor(Math.log10(e)/3)),n=e/1e3**t;return`${t&&n<10?n.toFixed(1):Math.round(n)} ${["B","kB","MB","GB","TB"][t]}`});function En(e){return`${Math.floor(e/60)}:${String(e%60).padStart(2,"0")}`}var Nn=e=>e.replace(/\B(?=(\d{3})+$)/g," "),Pn=e=>e.replaceAll("_"," ");function Rn(e){let[t,n]=Ro.find(([,o])=>e>=o)??["second",1];return[t,Math.floor(e/n)]}var In={current:a`<circle cx="8" cy="8" r="5" />`,available:a`<circle cx="8" cy="8" r="5" />`,ready:a`<circle cx="8" cy="8" r="5" />`,stale:a`<path d="M8 2.5 14 13H2Z" />`,collecting:a`<path d="M8 2.5 14 13H2Z" />`,synthetic:a`<path d="M8 2 14 8 8 14 2 8Z" />`,unavailable:a`<path d="M3.5 3.5h9v9h-9Z" />`,error:a`<path d="M3.5 3.5h9v9h-9Z" />`,not_connected:a`<circle class="hollow" cx="8" cy="8" r="4.5" />`},Dn={available:"current",ready:"current",collecting:"stale",error:"unavailable"};function Te({status:e,...t}){let n=Dn[e]??e;return a`<svg class="shape tone-${n}" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true" ...${t}>
    ${In[e]??In.not_connected}
  </svg>`}function _e({status:e}){return a`<span class="status tone-${Dn[e]??e}"><${Te} status=${e} />${Pn(e)}</span>`}function q({at:e,children:t}){return e?a`<time datetime=${e} title=${J(e)}>${t??An(e)}</time>`:a`<span class="quiet">never</span>`}var xt=e=>new RegExp(`(${e.replace(/[.*+?^$\{}()|[\]\\]/g,"\\$&")})`,"giu");function U({text:e,term:t}){return t?e.split(xt(t)).map((n,o)=>o%2?a`<mark>${n}</mark>`:n):e}function I({meta:e}){let{status:t,updatedAt:n,note:o}=e.freshness;return a`<p class="freshness">
    <${_e} status=${t} />
    ${n&&a`<span>updated <${q} at=${n} /></span>`}
    ${o&&a`<span class="quiet" dir="auto">${o}</span>`}
  </p>`}function te({pagination:e,page:t,onPage:n}){if(!e||e.totalPages<=1&&t<=1)return null;let{totalPages:o,total:s,hasNextPage:r}=e;return a`<nav class="pager" aria-label="Pages">
    <button type="button" disabled=${t<=1} onClick=${()=>n(t-1)}>Previous</button>
    <span>Page ${t} of ${Math.max(o,1)} <span class="quiet">· ${s} in all</span></span>
    <button type="button" disabled=${!r} onClick=${()=>n(t+1)}>Next</button>
  </nav>`}function We({text:e,label:t="Copy"}){let[n,o]=v(!1),s=async()=>{await navigator.clipboard.writeText(e),o(!0),setTimeout(o,1600,!1)};return navigator.clipboard?a`<button type="button" class="copy" onClick=${s}>
    <span aria-live="polite">${n?"Copied":t}</span>
  </button>`:null}function Ve({text:e,label:t}){return a`<div class="snippet">
    <pre tabindex="0" role="region" aria-label=${t}><code>${e}</code></pre>
    <${We} text=${e} />
  </div>`}function S(){return a`<p class="loading" role="status">Loading …</p>`}function D({children:e}){return a`<p class="empty">${e}</p>`}function P({error:e,retry:t,isWhole:n}){let{status:o}=e,s=Ln[o]??Ln[o>=500||o===0?503:400];return a`<div class="trouble" role="alert">
    ${n?a`<h1>${s.title}</h1>`:a`<h2>${s.title}</h2>`}
    ${e.message&&a`<p dir="auto">${e.message}</p>`}
    ${s.what&&a`<p>${s.what}</p>`}
    <p class="actions">
      ${o===401&&!H&&a`<button type="button" onClick=${Se}>Use another key</button>`}
      ${(o===0||o===429||o>=500)&&a`<button type="button" onClick=${t}>Try again</button>`}
    </p>
    ${e.exchange?.requestId&&a`<p class="quiet">Request <code>${e.exchange.requestId}</code></p>`}
  </div>`}var Ln={0:{title:"The service did not respond",what:"Check that it runs and that you are online, then try again."},400:{title:"Invalid request",what:"Change the parameters; the same request fails again."},401:{title:"This key does not work"},403:{title:"This key may not read this",what:"With more scopes, the key itself stays the same."},404:{title:"Not found"},409:{title:"The stored data does not match"},429:{title:"Too many requests"},503:{title:"The service could not answer",what:"No data is lost."}},wt=new z(null);function kt(e){wt.set(e)}function F({url:e,children:t}){return a`<button type="button" class="outbound" dir="auto" onClick=${()=>kt(e)}>${t??e}</button>`}function Fn(){let e=b(wt),t=O(null);T(()=>{e&&t.current.showModal()},[e]);let n=()=>t.current.close(),o=/^(https?|mailto):/i.test(e??"");return a`<dialog ref=${t} aria-labelledby="outbound-title" onClose=${()=>wt.set(null)}>
    <h2 id="outbound-title">This link comes from a source</h2>
    <p>It has not been checked.</p>
    <p class="address" dir="ltr"><code>${e}</code></p>
    <p class="actions">
      ${o&&a`<a class="button" href=${e} target="_blank" rel="noopener noreferrer nofollow" onClick=${n}>Open in a new tab</a>`}
      <${We} text=${e??""} label="Copy address" />
      <button type="button" onClick=${n}>Close</button>
    </p>
  </dialog>`}var Ke={curl:{title:"curl",text:Lo},mcp:{title:"MCP",text:Do},python:{title:"Python",text:Fo},json:{title:"JSON",text:({body:e})=>JSON.stringify(e,null,2)}};function Je({operations:e}){let t=b(le),[n,o]=v(null),[s,r]=v("curl");if(T(()=>o(null),[t]),!t.length)return null;let c=({operation:d})=>e.indexOf(d.name),i=n??t.reduce((d,l)=>c(l)>c(d)?l:d),p=()=>Q(i.operation.name,i.args).catch(()=>{});return a`<section class="strip" aria-label="The request of this view">
    <details>
      <summary>
        <span class="verb">GET</span> <code class="path">${i.path}</code>
        <${Io} exchange=${i} />
      </summary>
      <div class="strip-body">
        ${t.length>1&&a`<label class="field">Request
          <select value=${t.indexOf(i)} onChange=${d=>o(t[d.target.value])}>
            ${t.map((d,l)=>a`<option value=${l}>${d.status} ${d.path}</option>`)}
          </select></label>`}
        <dl class="facts">
          <div><dt>Status</dt><dd>${i.status===304?"304, unchanged":i.status||"no response"}</dd></div>
          <div><dt>Took</dt><dd>${i.milliseconds} ms</dd></div>
          <div><dt>ETag</dt><dd><code>${i.etag??"none"}</code></dd></div>
          <div><dt>Request</dt><dd><code>${i.requestId??"none"}</code></dd></div>
        </dl>
        <div class="tabs">
          ${Object.entries(Ke).map(([d,{title:l}])=>a`<button type="button" aria-pressed=${s===d} onClick=${()=>r(d)}>${l}</button>`)}
          <span class="spread"></span>
          <a href=${_("reference",i.operation.name)}>Reference</a>
          <button type="button" class="again" onClick=${p}>Send again</button>
          <${We} text=${Ke[s].text(i)} />
        </div>
        <pre tabindex="0" role="region" aria-label=${Ke[s].title}><code>${Ke[s].text(i)}</code></pre>
      </div>
    </details>
  </section>`}function Io({exchange:{status:e,milliseconds:t}}){return a`<span class="outcome" role="status"><span class="tone-${e===200||e===304?"current":"unavailable"}">${e||"no response"}</span> <span class="quiet">${t} ms</span></span>`}function jn(){let e=b(je),[t,n]=v(Date.now());if(T(()=>{let i=setInterval(()=>n(Date.now()),1e3);return()=>clearInterval(i)},[]),!e)return null;let o=e.resetAt<=t,s=o?e.limit:e.remaining,r=Math.ceil((e.resetAt-t)/1e3),c=o?"A new minute has begun; all requests are left.":`Requests that the key has left in this minute. Resets in ${r} s`;return a`<span class="quota" title=${c}>
    <meter min="0" max=${e.limit} low=${e.limit/5} value=${s} aria-label="Requests left"></meter>
    <span>${s} of ${e.limit}<span class="unit"> requests</span> left</span>
  </span>`}function Lo({path:e}){return`curl -sS '${Un(e)}' \\
  -H "Authorization: Bearer $${x.variable}"`}function Do({operation:e,args:t}){let n={name:e.name,arguments:Sn(e,t)},o=JSON.stringify({jsonrpc:"2.0",id:1,method:"tools/call",params:n},null,2);return`curl -sS '${x.baseUrl}/api/mcp' \\
  -H "Authorization: Bearer $${x.variable}" \\
  -H 'Content-Type: application/json' \\
  -H 'Accept: application/json, text/event-stream' \\
  --data-binary @- <<'EOF'
${o}
EOF`}function Fo({path:e}){return`import json
import os
from urllib.request import Request, urlopen

request = Request(
    "${Un(e)}",
    headers={"Authorization": f"Bearer {os.environ['${x.variable}']}"},
)
with urlopen(request) as response:
    print(json.dumps(json.load(response), indent=2, ensure_ascii=False))`}var Un=e=>`${x.baseUrl}${e.replaceAll("'","%27")}`;var Hn="./icon-KB2SD46C.svg";var Ct={};G(Ct,{Assets:()=>St,operations:()=>Uo,shows:()=>Ho});var Uo=["list_assets","read_asset"],Ho=({values:[e]})=>e?`the file or folder ${e}`:"the names, sizes and dates of files",Bo=(e,t)=>e.pagination.hasNextPage?{...t,page:e.pagination.page+1}:null;function St({values:e}){return a`
    <h1>Files</h1>
    <p class="quiet">Names, sizes and dates. The contents of files are never served.</p>
    <div class="split">
      <div class="tree"><${Bn} isRoot=${!0} chosen=${e[0]} /></div>
      <div class="detail">${e[0]?a`<${Wo} id=${e[0]} />`:a`<${D}>Select a file or a folder.<//>`}</div>
    </div>
  `}function Bn({id:e,isRoot:t,chosen:n}){let{bodies:o,error:s,isLoading:r,hasMore:c,more:i}=me("list_assets",{folderId:e},Bo),p=o.flatMap(d=>d.data);return a`
    ${s&&a`<${P} error=${s} retry=${i} />`}
    ${!r&&!s&&!p.length&&a`<p class="quiet">Empty.</p>`}
    <ul>${p.map(d=>a`<${zo} key=${d.id} asset=${d} chosen=${n} />`)}</ul>
    ${r&&a`<${S} />`}
    ${c&&!r&&a`<button type="button" class="more" onClick=${i}>Load more</button>`}
    ${t&&o[0]&&a`<${I} meta=${o[0].meta} />`}
  `}function zo({asset:e,chosen:t}){let[n,o]=v(!1),s=a`<a href=${_("explore","assets",[e.id])} aria-current=${t===e.id?"true":void 0} dir="auto">${e.name}</a>`;return e.kind==="file"?a`<li class="file">${s} <span class="quiet">${Ce(e.bytes)}</span>${e.public&&a` <span class="chip">public</span>`}</li>`:a`<li class="folder">
    <button type="button" class="twist" aria-expanded=${n} aria-label=${`Contents of ${e.name}`} onClick=${()=>o(!n)}></button>
    ${s}
    ${n&&a`<${Bn} id=${e.id} chosen=${t} />`}
  </li>`}function Wo({id:e}){let{body:t,error:n,retry:o}=R("read_asset",{id:e});if(n)return a`<${P} error=${n} retry=${o} />`;if(!t)return a`<${S} />`;let{data:s}=t,r=(c,i)=>a`<div><dt>${c}</dt><dd dir="auto">${i}</dd></div>`;return a`<section class="card" aria-label="Selected">
    <p class="eyebrow">${s.kind}</p>
    <h2 dir="auto">${s.name}</h2>
    <dl class="facts">
      ${s.kind==="file"&&r("Size",`${Ce(s.bytes)} (${s.bytes} bytes)`)}
      ${s.mime&&r("Type",s.mime)}
      ${r("Visible",s.public?"to everybody":"to the organization")}
      ${s.publicUrl&&r("Address",a`<${F} url=${s.publicUrl} />`)}
      ${s.uploadedBy&&r("From",s.uploadedBy.displayName??s.uploadedBy.id)}
      ${r("Created",J(s.createdAt))}
      ${r("Changed",J(s.updatedAt))}
      ${s.parentId&&r("In",a`<a href=${_("explore","assets",[s.parentId])}>its folder</a>`)}
      ${r("Id",a`<code>${s.id}</code>`)}
    </dl>
    <${I} meta=${t.meta} />
  </section>`}var Ot={};G(Ot,{Chats:()=>Tt,operations:()=>Vo,queries:()=>Jo,shows:()=>Ko});var Vo=["list_telegram_chats","list_telegram_messages"],Ko=({values:[e],query:{around:t,q:n}})=>e?n?`the messages of a chat that contain “${n}”`:t?`message ${t} of a chat, between its neighbors`:"the messages of a chat":"the linked chats",Jo={list_telegram_messages:Go},Xo=2**31-1;function Go({before:e,...t}){return t.limit==="1"&&e>1?{around:e-1}:{before:e,...t}}function Tt({values:e,query:t}){let{before:n,around:o}=t;return e[0]?a`<${Yo} key=${`${e[0]} ${n} ${o}`} id=${e[0]} before=${n} around=${o} />`:a`<${Zo} />`}function Zo(){let{query:e}=b(L),t=Number(e.page??1),{body:n,error:o,retry:s}=R("list_telegram_chats",{page:t});return o?a`<${P} isWhole error=${o} retry=${s} />`:n?a`
    <h1>Chats</h1>
    ${!n.data.length&&a`<${D}>No linked chat is approved.<//>`}
    <ul class="cards">
      ${n.data.map(r=>a`<li class="card" key=${r.id}>
        <p class="eyebrow">${r.type}</p>
        <h2 dir="auto"><a href=${_("explore","chats",[r.id])}>${r.title}</a></h2>
        ${r.username&&a`<p class="quiet" dir="ltr">@${r.username}</p>`}
        <dl class="figures">
          <div><dt>messages</dt><dd>${j(r.trackedMessageCount)}</dd></div>
          <div><dt>members</dt><dd>${ze(r.memberCount)}</dd></div>
          <div><dt>last</dt><dd><${q} at=${r.lastMessageAt} /></dd></div>
        </dl>
        <p class="quiet">Linked ${W(r.linkedAt)}</p>
      </li>`)}
    </ul>
    <${te} pagination=${n.pagination} page=${t} onPage=${r=>M({page:r})} />
    <${I} meta=${n.meta} />
  `:a`<${S} />`}function Yo({id:e,before:t,around:n}){let{query:o}=b(L),s=ee(o.q??""),c=R("list_telegram_chats",{}).body?.data.find($=>$.id===e),{bodies:i,error:p,isLoading:d,hasMore:l,more:m}=me("list_telegram_messages",{chatId:e,q:s,...s?{}:{before:t,around:n}},({pagination:$})=>$.hasMore?{chatId:e,q:s,before:$.nextBefore}:null),f=i.flatMap($=>$.data).reverse(),u=s?null:Number(n)||null,h=f.some($=>$.id===u),k=Qo(f.length),g=$=>_("explore","chats",[e],{around:$});return a`
    <p class="crumb"><a href=${_("explore","chats")}>Chats</a></p>
    <h1 dir="auto">${c?.title??"Conversation"}</h1>
    <form class="filters" role="search" onSubmit=${$=>$.preventDefault()}>
      <label class="field wide">Search in this chat
        <input type="search" maxlength="200" value=${o.q??""} dir="auto" onInput=${$=>M({q:$.target.value})} /></label>
      ${(t||n)&&a`<a class="button" href=${_("explore","chats",[e])}>Newest messages</a>`}
    </form>
    ${p&&a`<${P} error=${p} retry=${m} />`}
    ${i[0]?.pagination.searchLimited&&a`<p class="quiet">Only the newest messages were searched.</p>`}
    ${u&&f.length>0&&!h&&a`<p class="quiet" role="status">Message ${u} is not stored. These are the messages around it.</p>`}
    <div class="conversation" ref=${k} tabindex="0" role="region" aria-label="Messages">
      <p class="older">
        ${d?a`<${S} />`:l?a`<button type="button" class="more" onClick=${m}>Older messages</button>`:a`<span class="quiet">${f.length?"Beginning of the stored messages.":"No message matches."}</span>`}
      </p>
      <ol>${f.map(($,y)=>a`<${er} key=${$.id} message=${$} previous=${f[y-1]}
        quoted=${f.find(E=>E.id===$.replyToMessageId)} term=${s} isHit=${$.id===u} link=${g} />`)}</ol>
      ${u&&f.at(-1)?.id>u&&a`<p class="older"><a class="button" href=${g(f.at(-1).id)}>Newer messages</a></p>`}
    </div>
    ${i[0]&&a`<${I} meta=${i[0].meta} />`}
  `}function Qo(e){let t=O(null),n=O(null);return we(()=>{let o=t.current;if(!e)return;let s=o.scrollHeight>o.clientHeight,r=s?o:document.scrollingElement,c=s?o:document,i=()=>{n.current=r.scrollHeight-r.clientHeight-r.scrollTop},p=n.current===null&&o.querySelector("[aria-current]");return p?p.scrollIntoView({block:"center"}):r.scrollTop=r.scrollHeight-r.clientHeight-(n.current??0),i(),c.addEventListener("scroll",i,{passive:!0}),()=>c.removeEventListener("scroll",i)},[e]),t}function er({message:e,previous:t,quoted:n,term:o,isHit:s,link:r}){let{id:c,sender:i,text:p,detail:d,kind:l,file:m,sentAt:f,editedAt:u,replyToMessageId:h}=e,k=!t||W(t.sentAt)!==W(f),g=k||t.sender.name!==i.name;return a`
    ${k&&a`<li class="day">${W(f)}</li>`}
    <li class=${`message${s?" hit":""}`} aria-current=${s?"true":void 0}>
      ${g&&a`<p class="sender" dir="auto">${i.name} ${i.username&&a`<span class="quiet" dir="ltr">@${i.username}</span>`}</p>`}
      <div class="bubble">
        ${h!==null&&a`<p class="quoted" dir="auto"><${tr} id=${h} quoted=${n} link=${r} /></p>`}
        ${l!=="text"&&a`<p class="attachment" dir="auto"><span class="kind">${l}</span> <${nr} file=${m} term=${o} /></p>`}
        ${d&&a`<p class="quiet" dir="auto"><${U} text=${d} term=${o} /></p>`}
        ${p&&a`<p class="text" dir="auto"><${U} text=${p} term=${o} /></p>`}
        <p class="when"><a href=${r(c)} aria-label=${`Message ${c}, ${J(f)}`}><${q} at=${f}>${yt(f)}<//></a>${u&&a` <span>edited <${q} at=${u}>${yt(u)}<//></span>`}</p>
      </div>
    </li>`}function tr({id:e,quoted:t,link:n}){let o=t?`${t.sender.name}: ${t.text??t.detail??t.kind}`:`in reply to ${e}`;return e>=1&&e<=Xo?a`<a href=${n(e)}>${o}</a>`:o}function nr({file:e,term:t}){if(!e)return null;let{fileName:n,width:o,height:s,duration:r,mimeType:c,fileSize:i,sticker:p}=e,d=[p,o&&s&&`${o} × ${s}`,r!==null&&En(r),c,i!==null&&Ce(i)];return a`${n&&a`<${U} text=${n} term=${t} /> `}<span class="quiet">${d.filter(Boolean).join(" · ")}</span>`}function zn({view:e}){let t=x.clients.find(n=>n.name===e)??x.clients[0];return a`
    <div class="masthead">
      <h1>Connect a client</h1>
      <p class="lead">Set <code>${x.variable}</code> to the key. Configurations contain the name of this variable, never the key.</p>
      <dl class="facts">
        <div><dt>MCP</dt><dd><code>${x.baseUrl}/api/mcp</code></dd></div>
        <div><dt>REST</dt><dd><code>${x.baseUrl}/api/v1</code></dd></div>
      </dl>
    </div>
    <div class="split side">
      <nav aria-label="Clients"><ul class="menu">
        ${x.clients.map(({name:n,title:o})=>a`<li><a href=${_("connect",n)} aria-current=${n===t.name?"page":void 0}>${o}</a></li>`)}
      </ul></nav>
      <section aria-labelledby="client">
        <h2 id="client">${t.title}</h2>
        <p>${t.place}</p>
        <${Ve} text=${t.configuration} label=${`Configuration for ${t.title}`} />
        <p class="quiet">In a shell: <code>orgctx connect ${t.name} --base-url ${x.baseUrl}</code></p>
      </section>
    </div>
    <p class="notice">Text from sources is untrusted data, never an instruction; every tool result says so.</p>
  `}var At={};G(At,{Knowledge:()=>qt,operations:()=>sr,shows:()=>ar});function Xe({text:e,term:t}){let n=Be(()=>import("./markdown-Y5HIW46E.js")),o=O(null);return we(()=>{if(!n)return;let s=n.renderedLine(e);t&&or(s,t),o.current.replaceChildren(s)},[n,e,t]),n?a`<p key="line" dir="auto" ref=${o}></p>`:a`<p key="text" dir="auto">${e}</p>`}function or(e,t){let n=document.createTreeWalker(e,NodeFilter.SHOW_TEXT),o=[];for(;n.nextNode();)o.push(n.currentNode);for(let s of o){let r=s.data.split(xt(t));r.length>1&&s.replaceWith(...r.map((c,i)=>i%2?rr(c):c))}}function rr(e){let t=document.createElement("mark");return t.textContent=e,t}var Wn=new Map;function Vn(e,t,n={}){for(let o of t)Wn.set(o,{view:e,toQuery:n[o]??(s=>s)})}function ne(e){let t=Fe(e),n=t&&Wn.get(t.operation.name);if(!n)return null;let{limit:o,...s}=n.toQuery(Object.fromEntries(t.query));return _("explore",n.view,t.values,s)}var sr=["list_knowledge","read_knowledge"],ar=({values:[e],query:{q:t}})=>e?`the document or note ${e}`:`documents and notes${t?` that contain “${t}”`:""}`,ir={"":"Everything",source:"Documents",note:"Notes"},cr={"":"Public and team",public:"Public",team:"Team"};function qt({values:e}){return e[0]?a`<${dr} key=${e[0]} id=${e[0]} />`:a`<${lr} />`}function lr(){let{query:e}=b(L),t=ee(e.q??""),n=Number(e.page??1),{kind:o,visibility:s,archived:r}=e,{body:c,error:i,retry:p}=R("list_knowledge",{q:t,kind:o,visibility:s,archived:r,page:n}),d=(l,m)=>a`<select value=${e[l]??""} onChange=${f=>M({[l]:f.target.value,page:""})}>
    ${Object.entries(m).map(([f,u])=>a`<option value=${f}>${u}</option>`)}
  </select>`;return a`
    <h1>Library</h1>
    <form class="filters" role="search" onSubmit=${l=>l.preventDefault()}>
      <label class="field wide">Text
        <input type="search" maxlength="200" value=${e.q??""} dir="auto"
          onInput=${l=>M({q:l.target.value,page:""})} /></label>
      <label class="field">Kind ${d("kind",ir)}</label>
      <label class="field">For ${d("visibility",cr)}</label>
      <label class="check"><input type="checkbox" checked=${r==="true"}
        onChange=${l=>M({archived:l.target.checked?"true":"",page:""})} /> Archived</label>
    </form>
    ${i&&a`<${P} error=${i} retry=${p} />`}
    ${!c&&!i&&a`<${S} />`}
    ${c&&a`
      ${!c.data.length&&a`<${D}>No document or note matches.<//>`}
      <ol class="results">${c.data.map(l=>a`<${ur} key=${l.id} item=${l} term=${t} />`)}</ol>
      <${te} pagination=${c.pagination} page=${n} onPage=${l=>M({page:l})} />
      <${I} meta=${c.meta} />`}
  `}function ur({item:e,term:t}){return a`<li>
    <h2 dir="auto"><a href=${_("explore","knowledge",[e.id])}><${U} text=${e.title} term=${t} /></a></h2>
    <${Xe} text=${e.preview} term=${t} />
    <${Kn} item=${e} />
  </li>`}function Kn({item:e}){let{source:t,sourceLabel:n,sourceHref:o,sourceStatus:s,visibility:r,archived:c,updatedAt:i}=e;return a`<p class="byline">
    <span class="kind">${t}</span>
    <span dir="auto">${o?a`<${pr} href=${o} label=${n} />`:n}</span>
    <${q} at=${i} />
    ${r==="team"&&a`<span class="chip">team</span>`}
    ${c&&a`<span class="chip">archived</span>`}
    ${s!=="current"&&a`<span class="chip">${s}</span>`}
  </p>`}function pr({href:e,label:t}){let n=ne(e);return n?a`<a href=${n}>${t}</a>`:a`<${F} url=${e}>${t}<//>`}function dr({id:e}){let[t,n]=v(!1),{bodies:o,error:s,isLoading:r,hasMore:c,more:i}=me("read_knowledge",{id:e},f=>{let{nextOffset:u}=f.data.contentRange;return u===null?null:{id:e,offset:u}}),p=On(i,c&&!r&&!s),d=o[0]?.data,l=o.at(-1)?.data.contentRange,m=l&&l.offset+l.length;return a`
    <p class="crumb"><a href=${_("explore","knowledge")}>Library</a></p>
    ${d&&a`
      <article class="document" aria-busy=${r}>
        <header>
          <h1 dir="auto">${d.title}</h1>
          <${Kn} item=${d} />
          <div class="reading">
            <meter min="0" max=${l.total||1} value=${l.total?m:1} aria-label="Loaded part"></meter>
            <span class="quiet">${j(m)} of ${j(l.total)}${c?"; scroll to load the rest":""}</span>
            ${d.contentFormat==="markdown"&&a`<span class="segmented" role="group" aria-label="Show as">
              <button type="button" aria-pressed=${!t} onClick=${()=>n(!1)}>Rendered</button>
              <button type="button" aria-pressed=${t} onClick=${()=>n(!0)}>Plain</button>
            </span>`}
          </div>
        </header>
        ${t||d.contentFormat!=="markdown"?a`<div class="plain-text" dir="auto">${o.map(f=>f.data.content).join("")}</div>`:a`<${fr} bodies=${o} isWhole=${!c} />`}
        <footer class="quiet">Created ${W(d.createdAt)} · <code>${d.id}</code></footer>
      </article>
      <${I} meta=${o[0].meta} />`}
    ${s&&a`<${P} isWhole=${!d} error=${s} retry=${i} />`}
    ${r&&a`<${S} />`}
    <div ref=${p}></div>
  `}function fr({bodies:e,isWhole:t}){let n=O(null),o=O({count:0,rest:"",env:{}}),s=Be(()=>import("./markdown-Y5HIW46E.js"));T(()=>{if(!s)return;let{cut:c,rendered:i}=s,p=o.current;p.tail?.forEach(m=>m.remove()),p.tail=null,p.rest+=e.slice(p.count).map(m=>m.data.content).join(""),p.count=e.length;let[d,l]=t?[p.rest,""]:c(p.rest);if(d&&n.current.append(i(d,p.env)),p.rest=l,l){let m=i(l,{...p.env});p.tail=[...m.childNodes],n.current.append(m)}},[s,e.length,t]);let r=c=>{let i=c.target.closest("button.outbound");i&&kt(i.address)};return a`${!s&&a`<${S} />`}<div class="prose" ref=${n} onClick=${r}></div>`}var Et={};G(Et,{Mentions:()=>Mt,operations:()=>mr,shows:()=>$r});var mr=["list_x_mentions"],$r=()=>"the posts that mention the organization";function Mt(){let{query:e}=b(L),t=Number(e.page??1),{body:n,error:o,retry:s}=R("list_x_mentions",{page:t});return a`
    <h1>Mentions</h1>
    ${o&&a`<${P} error=${o} retry=${s} />`}
    ${!n&&!o&&a`<${S} />`}
    ${n&&a`
      <${I} meta=${n.meta} />
      ${!n.data.length&&a`<${D}>No post is stored.<//>`}
      <ul class="cards posts">${n.data.map(r=>a`<${hr} key=${r.id} post=${r} />`)}</ul>
      <${te} pagination=${n.pagination} page=${t} onPage=${r=>M({page:r})} />`}
  `}function hr({post:e}){let{author:t,text:n,createdAt:o,metrics:s,media:r,quoted:c,isReply:i,isRepost:p,url:d}=e,l=Object.values(s).some(Boolean),m=(f,u)=>f==="views"||!l?ze(u):vt(u);return a`<li class="card">
    <p class="byline"><${Jn} author=${t} /> <${q} at=${o} />
      ${i&&a`<span class="chip">reply</span>`}${p&&a`<span class="chip">repost</span>`}</p>
    <p class="text" dir="auto">${n}</p>
    ${r.length>0&&a`<ul class="plain-list media">${r.map(f=>a`<li><span class="kind">${f.type}</span> <${F} url=${f.url} />
      ${f.previewUrl!==f.url&&a`<${F} url=${f.previewUrl} />`}</li>`)}</ul>`}
    ${c&&a`<blockquote><p class="byline"><${Jn} author=${c.author} /></p><p class="text" dir="auto">${c.text}</p><p><${F} url=${c.url}>Open the post<//></p></blockquote>`}
    <dl class="figures">${Object.entries(s).map(([f,u])=>a`<div><dt>${f}</dt><dd title=${j(u)}>${m(f,u)}</dd></div>`)}</dl>
    <p class="byline"><${F} url=${d}>Open the post<//> <code>${e.id}</code></p>
  </li>`}function Jn({author:e}){return a`<strong dir="auto">${e.name}</strong> <span class="quiet" dir="ltr">@${e.username}${e.verified&&" · verified"}</span>`}var Rt={};G(Rt,{Overview:()=>Pt,operations:()=>br,shows:()=>wr});var Nt=60,_r=3*31557600,Xn=[[3600,"hour"],[86400,"day"],[604800,""],[2629800,"month"],[31557600,"year"]],Ge=360;function Oe(e){let t=Math.log(Math.max(e,Nt)/Nt)/Math.log(_r/Nt);return Math.round(10+Math.min(1,t)*(Ge-20))}function Gn({sources:e}){return e.length?a`<section class="freshness-picture" aria-labelledby="freshness-title">
    <div class="section-head">
      <h2 id="freshness-title">Freshness</h2>
      <p class="quiet">The mark shows the age of a source, the band its freshness target. A source past its target is stale.</p>
    </div>
    <table>
      <thead>
        <tr>
          <th scope="col">Source</th>
          <th scope="col">Status</th>
          <th scope="col">Age and target</th>
          <th scope="col" class="line"><span class="sr">On a time axis</span><${yr} /></th>
        </tr>
      </thead>
      <tbody>${e.map(t=>a`<${gr} key=${t.id} source=${t} />`)}</tbody>
    </table>
  </section>`:a`<${D}>No source is approved for this key. An owner or admin can approve sources.<//>`}function gr({source:e}){let{label:t,kind:n,count:o,description:s,href:r,status:c,updatedAt:i,staleAfterSeconds:p}=e,d=ne(r);return a`<tr>
    <th scope="row">
      <span class="label" dir="auto">${d?a`<a href=${d}><${U} text=${t} /></a>`:t}</span>
      <span class="kind">${n}${o!==void 0&&` · ${o}`}</span>
      <span class="quiet about" dir="auto">${s}</span>
    </th>
    <td><${_e} status=${c} /></td>
    <td><${q} at=${i} /><span class="quiet about">${p===void 0?"no freshness target":`stale after ${Mn(p)}`}</span></td>
    <td class="line"><${vr} status=${c} updatedAt=${i} target=${p} /></td>
  </tr>`}function yr(){return a`<svg viewBox="0 0 ${Ge} 16" aria-hidden="true" class="scale">
    <text x="10" y="12">now</text>
    ${Xn.map(([e,t])=>a`<text x=${Oe(e)} y="12" text-anchor="middle">${t}</text>`)}
  </svg>`}function vr({status:e,updatedAt:t,target:n}){let o=t?Oe(bt(t)):null,s=n===void 0?null:Oe(n),r=s!==null&&o!==null&&o>s;return a`<svg viewBox="0 0 ${Ge} 28" aria-hidden="true" class="age tone-${e}">
    ${Xn.map(([c])=>a`<line class="tick" x1=${Oe(c)} x2=${Oe(c)} y1="0" y2="28" />`)}
    <line class="base" x1="10" x2=${Ge-10} y1="14" y2="14" />
    ${s!==null&&a`<rect class="promise" x="10" y="8" width=${s-10} height="12" rx="3" />`}
    ${r&&a`<line class="late" x1=${s} x2=${o} y1="14" y2="14" />`}
    ${o!==null&&a`<${Te} status=${e} x=${o-10} y="4" width="20" height="20" />`}
  </svg>`}var br=["get_context","list_sources"],wr=()=>"the organization, its sources, and how fresh each of them is";function Pt(){let{body:e,error:t,retry:n}=R("get_context",{});if(t)return a`<${P} isWhole error=${t} retry=${n} />`;if(!e)return a`<${S} />`;let{organization:o,grantedScopes:s,sources:r,connections:c}=e.data;return a`
    <div class="masthead">
      <p class="eyebrow">Organization</p>
      <h1 dir="auto">${o.displayName??"Organization"}</h1>
      <p class="quiet">
        ${o.slug&&a`<code>${o.slug}</code> · `}
        ${o.createdAt&&a`since ${W(o.createdAt)} · `}
        ${r.length} ${r.length===1?"source":"sources"}
      </p>
      ${!o.displayName&&a`<p class="quiet">Its name is in the <code>profile</code> source, which this key does not read.</p>`}
      <ul class="chips" aria-label="Scopes of this key">
        ${s.map(i=>a`<li class="chip"><code>${i}</code></li>`)}
      </ul>
    </div>
    <${Gn} sources=${r} />
    <details class="more">
      <summary>Identifiers and connections</summary>
      <dl class="facts">
        <div><dt>Organization</dt><dd><code>${o.id}</code></dd></div>
        ${r.map(({id:i,label:p,href:d})=>a`<div><dt dir="auto">${p}</dt><dd><code>${i}</code>, <code>${d}</code></dd></div>`)}
        ${Object.entries(c).map(([i,p])=>a`<div><dt>${i}</dt><dd>${xr(p)}</dd></div>`)}
      </dl>
    </details>
  `}function xr(e){return Object.entries(e).filter(([,n])=>n!==null&&typeof n!="object").map(([n,o])=>`${n} ${o}`).join(", ")}var Lt={};G(Lt,{People:()=>It,operations:()=>kr,shows:()=>Sr});var kr=["list_people","read_person"],Sr=({values:[e],query:{q:t}})=>e?`the person ${e} and their latest activity`:`people${t?` named “${t}”`:""}, by their latest activity`;function It({values:e}){return e[0]?a`<${Tr} key=${e[0]} id=${e[0]} />`:a`<${Cr} />`}function Cr(){let{query:e}=b(L),t=ee(e.q??""),n=Number(e.page??1),{body:o,error:s,retry:r}=R("list_people",{q:t,page:n}),c=Math.max(1,...(o?.data??[]).map(i=>i.activityCount));return a`
    <h1>People</h1>
    <p class="quiet">The latest active first. The bar shows how many messages and posts each of them wrote.</p>
    <form class="filters" role="search" onSubmit=${i=>i.preventDefault()}>
      <label class="field wide">Name
        <input type="search" maxlength="200" value=${e.q??""} dir="auto" onInput=${i=>M({q:i.target.value,page:""})} /></label>
    </form>
    ${s&&a`<${P} error=${s} retry=${r} />`}
    ${!o&&!s&&a`<${S} />`}
    ${o&&a`
      ${o.pagination.searchLimited&&a`<p class="quiet">Only the most recently active people were searched.</p>`}
      ${!o.data.length&&a`<${D}>No person in an approved source matches.<//>`}
      <ul class="people">${o.data.map(i=>a`<li key=${i.key}>
        <a href=${_("explore","people",[i.key])} dir="auto"><${U} text=${i.displayName} term=${t} /></a>
        <span class="quiet" dir="ltr">${i.username?a`@<${U} text=${i.username} term=${t} />`:""}</span>
        <span class="kind">${i.platform}</span>
        <span class="activity"><meter min="0" max=${c} value=${i.activityCount} aria-label="Activity"></meter> ${j(i.activityCount)}</span>
        <span class="quiet"><${q} at=${i.lastActiveAt} /></span>
      </li>`)}</ul>
      <${te} pagination=${o.pagination} page=${n} onPage=${i=>M({page:i})} />
      <${I} meta=${o.meta} />`}
  `}function Tr({id:e}){let{body:t,error:n,retry:o}=R("read_person",{key:e});if(n)return a`<${P} isWhole error=${n} retry=${o} />`;if(!t)return a`<${S} />`;let{data:s}=t;return a`
    <p class="crumb"><a href=${_("explore","people")}>People</a></p>
    <div class="masthead">
      <p class="eyebrow">${s.platform}${s.verified&&" · verified"}</p>
      <h1 dir="auto">${s.displayName}</h1>
      <p class="quiet">
        ${s.username&&a`<span dir="ltr">@${s.username}</span> · `}
        ${j(s.activityCount)} in all · since ${W(s.firstActiveAt)} · last <${q} at=${s.lastActiveAt} />
      </p>
      ${s.profileUrl&&a`<p><${F} url=${s.profileUrl} /></p>`}
      <p class="quiet"><code>${s.key}</code></p>
    </div>
    <h2>Sources</h2>
    <ul class="plain-list">${s.sources.map(r=>a`<li key=${r.sourceId}>
      <span dir="auto">${r.label}</span> <span class="quiet">${j(r.activityCount)} · last <${q} at=${r.lastActiveAt} /></span>
    </li>`)}</ul>
    <h2>Latest activity</h2>
    <ol class="timeline">${s.recentActivity.map(r=>a`<li key=${r.id}>
      <p class="byline"><span class="kind">${r.kind}</span> <${q} at=${r.at} /></p>
      <p dir="auto"><${Or} one=${r} /></p>
    </li>`)}</ol>
    <${I} meta=${t.meta} />
  `}function Or({one:e}){let t=ne(e.href),n=e.preview||`without text (${e.id})`;return t?a`<a href=${t}>${n}</a>`:e.href?a`<${F} url=${e.href}>${n}<//>`:n}var Dt=null;function Yn({view:e}){let[{spec:t,isFailed:n},o]=v({}),s=b(V);return T(()=>{Dt??=fetch("api/v1/openapi.json").then(r=>r.json()),Dt.then(r=>o({spec:r}),()=>{Dt=null,o({isFailed:!0})})},[]),a`
    <div class="masthead">
      <h1>Reference</h1>
      <p class="lead">The OpenAPI 3.1 document of this service: <a href="api/v1/openapi.json">api/v1/openapi.json</a></p>
      <p>Paths are below <code>${x.baseUrl}/api/v1</code>. Send the key in the header
        ${" "}<code>Authorization: Bearer API_KEY</code>. <a href=${_("connect")}>Connect</a> has programs to start from.</p>
    </div>
    ${!s&&a`<section class="card entrance" aria-labelledby="try"><h2 id="try">Try it</h2>
      <p>Paste a key, and each operation below sends its request with it.</p><${$e} action="Use key" /></section>`}
    <nav class="operations" aria-label="Operations"><ul class="chips">
      ${x.operations.map(({name:r,title:c})=>a`<li><a class="chip" href=${_("reference",r)} aria-current=${r===e?"page":void 0}>${c}</a></li>`)}
    </ul></nav>
    <h2 class="sr">Operations</h2>
    ${n&&a`<p role="alert">The document could not be loaded. Reload the page to try again.</p>`}
    ${!t&&!n&&a`<${S} />`}
    ${t&&x.operations.map(r=>a`<${qr} key=${r.name} spec=${t} operation=${r} isChosen=${r.name===e} />`)}
    <${Je} operations=${[]} />
  `}function qr({spec:e,operation:t,isChosen:n}){let o=O(null),[s,r]=v(n);T(()=>{n&&(o.current.open=!0,o.current.firstElementChild.focus({preventScroll:!0}),o.current.scrollIntoView())},[n]);let c=()=>r(o.current.open),i=()=>o.current.open||history.replaceState(null,"",_("reference",t.name));return a`<details class="card operation" id="operation-${t.name}" ref=${o} onToggle=${c}>
    <summary onClick=${i}><span class="verb">GET</span> <code class="path">${t.path}</code> <h3>${t.title}</h3></summary>
    ${s&&a`<${Ar} spec=${e} operation=${t} />`}
  </details>`}function Ar({spec:e,operation:t}){let{description:n,parameters:o=[],responses:s}=e.paths[t.path].get,{schema:r,examples:c}=s[200].content["application/json"];return a`
    ${n.split(`

`).map(i=>a`<p><${Ft} text=${i} /></p>`)}
    <${Mr} operation=${t} parameters=${o.map(i=>jt(e,i))} />
    <h4>Responses</h4>
    <dl class="facts">${Object.entries(s).map(([i,p])=>a`<div><dt>${i}</dt><dd><${Ft} text=${jt(e,p).description} /></dd></div>`)}</dl>
    <${Zn} title="Example" of=${t.title} value=${Object.values(c)[0].value} />
    <${Zn} title="JSON Schema" of=${t.title} value=${Ze(e,r)} />
  `}function Mr({operation:e,parameters:t}){let[{exchange:n,isSent:o},s]=v({}),r=`parameter-${e.name}`;return a`<form class="trial" autocomplete="off" onSubmit=${i=>{i.preventDefault();let p=new FormData(i.target),d=Object.entries(e.arguments).map(([m,{path:f}])=>[m,p.get(f??m).trim()]),l=m=>s({exchange:m});s({isSent:!0}),Q(e.name,Object.fromEntries(d)).then(l,m=>l(m.exchange))}}>
    ${t.map(({name:i,description:p,required:d,schema:l,example:m})=>a`<div>
      <label for="${r}-${i}"><code>${i}</code></label>
      <${Er} id="${r}-${i}" name=${i} required=${d} schema=${l} example=${m} />
      <p class="quiet" id="${r}-${i}-note"><${Ft} text=${p} />${d?" Required.":""}${!d&&m!==void 0&&a` Example: <code>${String(m)}</code>`}</p>
    </div>`)}
    <p class="actions"><button class="primary" type="submit" disabled=${o}>Execute</button></p>
    <div role="status">${n&&a`<p class="tone-${n.status<400&&n.status?"current":"unavailable"}">${n.status||"No response"}</p>
      <pre tabindex="0" role="region" aria-label="Answer of ${e.name}"><code>${Qn(n.body)}</code></pre>`}</div>
  </form>`}function Er({id:e,name:t,required:n,schema:o,example:s}){let r=o.type==="boolean"?["true","false"]:o.enum,c={id:e,name:t,required:n,"aria-describedby":`${e}-note`};return r?a`<select ...${c}><option value="">${o.default===void 0?"":`default: ${o.default}`}</option>${r.map(i=>a`<option>${i}</option>`)}</select>`:a`<input ...${c} defaultValue=${n?s:void 0} />`}function Zn({title:e,of:t,value:n}){return a`<details><summary>${e}</summary><pre tabindex="0" role="region" aria-label="${e}: ${t}"><code>${Qn(n)}</code></pre></details>`}function Ft({text:e}){return e.split("`").map((t,n)=>n%2?a`<code>${t}</code>`:t)}var Qn=e=>JSON.stringify(e,null,2);function jt(e,t){return t.$ref?t.$ref.slice(2).split("/").reduce((n,o)=>n[o],e):t}function Ze(e,t,n=[]){return Array.isArray(t)?t.map(o=>Ze(e,o,n)):typeof t!="object"||t===null||n.includes(t.$ref)?t:t.$ref?Ze(e,jt(e,t),[...n,t.$ref]):Object.fromEntries(Object.entries(t).map(([o,s])=>[o,Ze(e,s,n)]))}var zt={};G(zt,{Search:()=>Bt,operations:()=>Nr,shows:()=>Pr});var Nr=["search_context"],Pr=({query:{q:e}})=>e?`the records that contain “${e}”`:"the newest records of all sources",Rr=20,eo=50;function Bt(){let{query:e}=b(L),[t,n]=v(Rr),o=ee(e.q??""),s={q:o,source:e.source,after:to(e.after),before:to(e.before,1),limit:t},{body:r,error:c,isLoading:i,retry:p}=R("search_context",s),d=R("list_sources",{});return a`
    <h1 class="sr">Search</h1>
    <form class="searching" role="search" onSubmit=${l=>l.preventDefault()}>
      <label class="big"><span class="sr">Search all sources</span>
        <input type="search" maxlength="200" placeholder="Search all sources" value=${e.q??""}
          onInput=${l=>M({q:l.target.value})} dir="auto" />
      </label>
      <div class="filters">
        <label class="field">Source
          <select value=${e.source??""} onChange=${l=>M({source:l.target.value})}>
            <option value="">All</option>
            ${(d.body?.data??[]).map(l=>a`<option value=${l.id}>${l.label}</option>`)}
          </select></label>
        <label class="field">From
          <input type="date" value=${e.after??""} onChange=${l=>M({after:l.target.value})} /></label>
        <label class="field">To
          <input type="date" value=${e.before??""} onChange=${l=>M({before:l.target.value})} /></label>
      </div>
    </form>
    ${c&&a`<${P} error=${c} retry=${p} />`}
    ${!r&&i&&a`<${S} />`}
    ${r&&a`<${Ir} body=${r} term=${o} isLoading=${i} onMore=${t<eo&&(()=>n(eo))} />`}
  `}function Ir({body:e,term:t,isLoading:n,onMore:o}){let{query:s}=b(L),{items:r,hasMore:c}=e.data,i=xe(()=>Lr(r),[r]),p=i.kind.has(s.kind)?s.kind:"",d=p?r.filter(({kind:u})=>u===p):r,l=new Map(r.map(({sourceId:u,sourceLabel:h})=>[u,h])),m=s.after?.slice(0,4),f=m&&s.after===Ut(m).after&&s.before===Ut(m).before;return a`
    ${r.length>0&&a`<div class="facets">
      <${Ht} name="Kinds" counts=${i.kind} chosen=${p} onPick=${u=>M({kind:u})} />
      <${Ht} name="Sources" counts=${i.source} chosen=${s.source} labels=${l} onPick=${u=>M({source:u})} />
      <${Ht} name="Years" counts=${i.year} chosen=${f?m:""} onPick=${u=>M(Ut(u))} />
      ${c&&a`<p class="quiet">Counted in the ${r.length} newest results; there are more.</p>`}
    </div>`}
    <p class="sr" role="status">${d.length} results</p>
    ${!d.length&&a`<${D}>No record contains this text. Search is literal: try other words, or fewer.<//>`}
    <ol class="results" aria-busy=${n}>
      ${d.map(u=>a`<${Fr} key=${`${u.kind} ${u.id}`} item=${u} term=${t} />`)}
    </ol>
    ${c&&a`<p class="actions">
      ${o?a`<button type="button" onClick=${o}>Show more</button>`:a`<span class="quiet">There are more results: narrow the search by source, time or text.</span>`}
    </p>`}
    <${I} meta=${e.meta} />
  `}var Ut=e=>e?{after:`${e}-01-01`,before:`${e}-12-31`}:{after:"",before:""};function Lr(e){return Object.fromEntries(Object.entries({kind:({kind:n})=>n,source:({sourceId:n})=>n,year:({updatedAt:n})=>n&&String(new Date(n).getFullYear())}).map(([n,o])=>[n,new Map([...Map.groupBy(e,o)].map(([s,r])=>[s,r.length]))]))}function Ht({name:e,counts:t,chosen:n,labels:o,onPick:s}){let r=[...t.keys()].filter(c=>c!==null).sort();return a`<div class="chips" role="group" aria-label=${e}>
    <span class="quiet" aria-hidden="true">${e}</span>
    ${r.map(c=>a`<button type="button" class="chip" key=${c} dir="auto" aria-pressed=${c===n}
      onClick=${()=>s(c===n?"":c)}>${o?.get(c)??c} ${t.get(c)}</button>`)}
  </div>`}var Dr=e=>Fe(e.href)?.operation.name==="read_knowledge";function Fr({item:e,term:t}){let n=ne(e.href),o=a`<${U} text=${e.title} term=${t} />`;return a`<li>
    <h2 dir="auto">${n?a`<a href=${n}>${o}</a>`:e.href?a`<${F} url=${e.href}>${o}<//>`:o}</h2>
    ${Dr(e)?a`<${Xe} text=${e.preview} term=${t} />`:a`<p dir="auto"><${U} text=${e.preview} term=${t} /></p>`}
    <p class="byline"><span class="kind">${e.kind}</span> <span dir="auto">${e.sourceLabel}</span> ${e.updatedAt&&a`<${q} at=${e.updatedAt} />`}</p>
  </li>`}function to(e,t=0){if(!e)return;let n=new Date(`${e}T00:00`);return n.setDate(n.getDate()+t),Number.isNaN(n.getTime())?void 0:n.toISOString()}var jr=[["One key, one organization","The key chooses the organization. No parameter can name another."],["Nothing is shown until it is approved","An owner or admin approves each source, and can withdraw it at any time."],["Every answer says how fresh it is","Stale data is marked as stale. No request reaches a provider."],["It is read-only","Programs read over REST and agents over MCP."]],Ur=`orgctx keys issue --organization ORGANIZATION --by MEMBER \\
    --access both --scope context:read,knowledge:read --expires-in-days 30`;function no(){let e=b(V);return a`
    <div class="hero">
      <h1>What your organization knows, <em>for the agents it trusts.</em></h1>
      <p class="lead">orgctx gives programs and AI agents read-only access to what one organization has stored and
        approved: documents, notes, files, chats, mentions, people, and one search over all of it.</p>
    </div>
    <section class="card entrance" aria-labelledby="look">
      <h2 id="look">Look inside</h2>
      ${e?a`<p>You are using a key. It stays in the memory of this page until you reload it.</p>
            <p class="actions"><a class="button primary" href=${_("explore")}>Explore</a></p>`:a`<${$e} onDone=${()=>location.assign(_("explore"))} />`}
    </section>
    <${Hr} />
    <ul class="promises">${jr.map(([t,n])=>a`<li><h2>${t}</h2><p>${n}</p></li>`)}</ul>
    <section class="split even">
      <div>
        <h2>How to get a key</h2>
        <p>Ask an owner or admin of your organization, who issues it at the desk or with this command. It is
          shown once, has the scopes that were chosen, and expires after 7, 30 or 90 days.</p>
        <${Ve} text=${Ur} label="Command that issues a key" />
      </div>
      <div>
        <h2>Then</h2>
        <ul class="plain-list next">
          <li><a href=${_("connect")}>Connect a client</a> <span class="quiet">Claude Code, Cursor, VS Code and others</span></li>
          <li><a href=${_("explore")}>Explore the data</a> <span class="quiet">as the key sees it, each view with its request</span></li>
          <li><a href=${_("reference")}>Read the reference</a> <span class="quiet">${x.operations.length} operations, REST and MCP alike</span></li>
        </ul>
      </div>
    </section>
  `}function Hr(){let[e,t]=v(null),n=()=>fetch("readyz",{cache:"no-store"}).then(s=>s.json()).then(t,()=>t({status:"unreachable",checks:{}}));if(!e)return a`<p class="actions"><button type="button" onClick=${n}>Is the service ready?</button></p>`;let o=e.status==="ready";return a`<p class="readiness" role="status">
    <span class="status tone-${o?"current":"unavailable"}"><${Te} status=${o?"current":"unavailable"} />${o?"Ready":"Not ready"}</span>
    ${Object.entries(e.checks).map(([s,r])=>a`<span class="quiet">${s} ${r}</span>`)}
  </p>`}var Vt={};G(Vt,{Token:()=>Wt,operations:()=>Br,shows:()=>zr});var Br=["get_token"],zr=()=>"the stored summary of the linked token";function Wt(){let{body:e,error:t,retry:n}=R("get_token",{});if(t)return a`<${P} isWhole error=${t} retry=${n} />`;if(!e)return a`<${S} />`;let{connected:o,token:s,index:r,holders:c,latestFees:i,latestTradeAt:p,sources:d}=e.data;return a`
    <div class="masthead">
      <p class="eyebrow">Token</p>
      <h1 dir="auto">${s?`${s.name} (${s.symbol})`:"No token is stored"}</h1>
      <${I} meta=${e.meta} />
    </div>
    ${!o&&a`<${D}>The token is approved, but no snapshot of it is stored.<//>`}
    <dl class="figures large">
      ${c&&a`<div><dt>holders</dt><dd>${j(c.count)}</dd></div>`}
      ${i&&a`<div><dt>price, USD</dt><dd>${j(i.priceUsd)}</dd></div>`}
      ${p&&a`<div><dt>last trade</dt><dd><${q} at=${p} /></dd></div>`}
      ${r&&a`<div><dt>index</dt><dd><${_e} status=${r.state} /></dd></div>`}
    </dl>
    <h2>Sources</h2>
    <table class="simple">
      <thead><tr><th scope="col">Part</th><th scope="col">Status</th><th scope="col">Updated</th><th scope="col">Note</th></tr></thead>
      <tbody>${Object.entries(d).map(([l,m])=>a`<tr>
        <th scope="row">${l}</th><td><${_e} status=${m.status} /></td><td><${q} at=${m.updatedAt} /></td><td dir="auto">${m.note??""}</td>
      </tr>`)}</tbody>
    </table>
    <h2>Details</h2>
    <div class="blocks">
      <${Ye} title="Token" members=${s} />
      <${Ye} title="Index" members=${r} />
      <${Ye} title="Holders" members=${c} />
      <${Ye} title="Latest fees" members=${i} />
    </div>
  `}function Ye({title:e,members:t}){return t?a`<section class="card">
    <h3>${e}</h3>
    <dl class="facts">${Object.entries(t).map(([n,o])=>a`<div><dt>${n}</dt><dd dir="auto"><${Wr} value=${o} /></dd></div>`)}</dl>
  </section>`:null}function Wr({value:e}){return e===null?a`<span class="quiet">none</span>`:typeof e=="number"?String(e):/^\d{4}-\d\d-\d\dT/.test(e)?a`<${q} at=${e}>${J(e)}<//>`:/^https?:/.test(e)?a`<${F} url=${e} />`:a`<code>${/^\d+$/.test(e)?Nn(e):e}</code>`}var Vr=new URL(Hn,import.meta.url).href,oo={explore:"Explore"},Kt=H?oo:{start:"Start",connect:"Connect",...oo,reference:"Reference"},ue={overview:{title:"Overview",view:Pt,...Rt},search:{title:"Search",view:Bt,...zt},knowledge:{title:"Library",view:qt,...At},assets:{title:"Files",view:St,...Ct},chats:{title:"Chats",view:Tt,...Ot},people:{title:"People",view:It,...Lt},mentions:{title:"Mentions",view:Mt,...Et},token:{title:"Token",view:Wt,...Vt}};for(let[e,{operations:t,queries:n}]of Object.entries(ue))Vn(e,t,n);function Kr(){let e=b(L),t=b(V),n=`${e.area}/${e.view}/${e.values.join("/")}`,o=O(null),s=O(!0);return T(()=>{document.title=`${ue[e.view]?.title??Kt[e.area]??"Page not found"} · orgctx`,s.current||o.current.focus({preventScroll:!0}),s.current||scrollTo(0,0),s.current=!1},[n,t]),a`
    <a class="skip" href="#main" onClick=${c=>{c.preventDefault(),o.current.focus()}}>Skip to the content</a>
    <header class="bar">
      <a class="brand" href="#/"><img src=${Vr} alt="" width="26" height="26" />orgctx</a>
      ${H?a`<${Jr} />`:a`<nav aria-label="Page"><ul>
        ${Object.entries(Kt).map(([c,i])=>a`<li><a href=${_(c==="start"?"":c)} aria-current=${e.area===c?"page":void 0}>${i}</a></li>`)}
      </ul></nav>
      <div class="who">${t&&a`<${jn} /><button type="button" onClick=${Se}>Forget key</button>`}</div>`}
    </header>
    <main id="main" ref=${o} tabindex="-1" class=${e.area}>
      <${Jt} key=${e.area==="reference"?e.area:n}><${Xr} here=${e} isConnected=${t} /><//>
    </main>
    <${Fn} />
  `}function Jr(){let{name:e,access:t,desk:n}=H;return a`<p class="viewed">You see what the key <strong dir="auto">${e}</strong> reads${t==="mcp"&&" with MCP tools"}.</p>
    <a class="who" href=${n}>Back to the desk</a>`}function Xr({here:e,isConnected:t}){return Object.hasOwn(Kt,e.area)?e.area==="start"?a`<${no} />`:e.area==="connect"?a`<${zn} view=${e.view} />`:e.area==="reference"?a`<${Yn} view=${e.view} />`:t?a`<${Zr} here=${e} />`:a`<${Gr} here=${e} />`:a`<h1>Page not found</h1><p><a href="#/">Go to the start</a></p>`}function Gr({here:e}){let{title:t="Explore",operations:n,shows:o}=ue[e.view||"overview"]??{},s=n?.flatMap(r=>ke(r).scopes)??[];return a`<section class="card entrance">
    <h1>${t}</h1>
    ${o&&a`<p dir="auto">With a key, this address shows ${o(e)}.</p>
      <p class="quiet">The key needs the scope ${[...new Set(s)].map((r,c)=>a`${c>0&&" or "}<code>${r}</code>`)}.</p>`}
    <${$e} />
  </section>`}function Zr({here:e}){let t=Yr(),n=e.view||t[0],{view:o,operations:s=[]}=ue[n]??{},r=b(de)>0;return qn(n),a`<div class="explore-frame">
    <nav class="views" aria-label="Views"><ul class="menu">
        ${t.map(c=>a`<li><a href=${_("explore",c)} aria-current=${c===n?"page":void 0}>${ue[c].title}</a></li>`)}
      </ul></nav>
    <div class="view" aria-busy=${r}>
      ${o?a`<${o} values=${e.values} query=${e.query} />`:a`<h1>View not found</h1><p>Choose one of the views of the menu.</p>`}
      ${!H&&a`<${Je} operations=${s} />`}
    </div>
  </div>`}function Yr(){let e=b(Ue),t=n=>!e||ke(n).scopes.some(o=>e.includes(o));return Object.keys(ue).filter(n=>ue[n].operations.some(t))}var Jt=class extends ie{state={error:null};static getDerivedStateFromError(t){return{error:t}}render({children:t},{error:n}){return n?a`<div class="trouble" role="alert"><h1>This view failed</h1>
      <p>No data was changed. Reload the page, or report this to the operator: <code>${String(n.message)}</code></p></div>`:t}};ct(a`<${Kr} />`,document.getElementById("app"));
